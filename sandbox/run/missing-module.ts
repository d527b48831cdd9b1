// Which distribution brings a module that could not be imported: for many, the two names differ.

/** A sentence to act on, or nothing if it isn't known which distribution would help. */
export function missingModuleHint(module: string): string | undefined {
  const distribution = missingDistribution(module);
  return distribution && `There is no module ${module}: install the package ${distribution} to get it.`;
}

/**
 * Python names the first part that it didn't find. With a dot in it, what is before the dot is there and only lacks this
 * part, which another distribution adds to it or none.
 */
function missingDistribution(module: string): string | undefined {
  const [top = "", ...below] = module.split(".");
  if (below.length === 0) return SHARED.has(top) ? undefined : distributionOf(top);
  return knownDistribution(module, 2);
}

/** The distribution to install for `import module`. Most are called like their module. */
export function distributionOf(module: string): string | undefined {
  const distribution = knownDistribution(module, 1);
  if (distribution !== undefined) return distribution;
  const [name = ""] = module.split(".");
  return /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name) ? name.toLowerCase().replaceAll("_", "-") : undefined;
}

/** By the longest part of the name that is known, of at least so many pieces. */
function knownDistribution(module: string, fewest: number): string | undefined {
  const parts = module.split(".");
  for (let length = parts.length; length >= fewest; length--) {
    const distribution = DISTRIBUTIONS.get(parts.slice(0, length).join("."));
    if (distribution !== undefined) return distribution;
  }
  return undefined;
}

/** Many distributions put a part of their own under these, and one of the same name has nothing to do with them. */
const SHARED = new Set(["azure", "backports", "google", "sphinxcontrib", "zope"]);

const DISTRIBUTIONS = new Map<string, string>(
  Object.entries({
    attr: "attrs",
    Bio: "biopython",
    bs4: "beautifulsoup4",
    cairo: "pycairo",
    community: "python-louvain",
    Crypto: "pycryptodome",
    Cryptodome: "pycryptodomex",
    cv2: "opencv-python-headless",
    dateutil: "python-dateutil",
    discord: "discord.py",
    docx: "python-docx",
    dotenv: "python-dotenv",
    faiss: "faiss-cpu",
    fitz: "PyMuPDF",
    git: "GitPython",
    github: "PyGithub",
    gi: "PyGObject",
    "google.cloud.bigquery": "google-cloud-bigquery",
    "google.cloud.storage": "google-cloud-storage",
    "google.generativeai": "google-generativeai",
    "google.genai": "google-genai",
    "google.protobuf": "protobuf",
    googleapiclient: "google-api-python-client",
    igraph: "python-igraph",
    jose: "python-jose",
    jwt: "PyJWT",
    ldap: "python-ldap",
    Levenshtein: "python-Levenshtein",
    magic: "python-magic",
    markdown: "Markdown",
    mpl_toolkits: "matplotlib",
    multipart: "python-multipart",
    MySQLdb: "mysqlclient",
    nacl: "PyNaCl",
    OpenSSL: "pyOpenSSL",
    OpenGL: "PyOpenGL",
    osgeo: "GDAL",
    pdfminer: "pdfminer.six",
    PIL: "pillow",
    pkg_resources: "setuptools",
    pptx: "python-pptx",
    psycopg2: "psycopg2-binary",
    pyximport: "Cython",
    rapidjson: "python-rapidjson",
    ruamel: "ruamel.yaml",
    serial: "pyserial",
    skimage: "scikit-image",
    sklearn: "scikit-learn",
    slugify: "python-slugify",
    snappy: "python-snappy",
    socks: "PySocks",
    speech_recognition: "SpeechRecognition",
    talib: "TA-Lib",
    telegram: "python-telegram-bot",
    umap: "umap-learn",
    usb: "pyusb",
    websocket: "websocket-client",
    win32com: "pywin32",
    wx: "wxPython",
    yaml: "pyyaml",
    zmq: "pyzmq",
  }),
);

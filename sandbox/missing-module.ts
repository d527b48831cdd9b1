// Which distribution brings a module that could not be imported: for many, the two names differ.

/** A sentence to act on, or nothing if no distribution can have such a module. */
export function missingModuleHint(module: string): string | undefined {
  const distribution = distributionOf(module);
  return distribution && `There is no module ${module}: install the package ${distribution} to get it.`;
}

/** The distribution to install for `import module`. Most are called like their module. */
export function distributionOf(module: string): string | undefined {
  const parts = module.split(".");
  for (let length = parts.length; length > 0; length--) {
    const known = DISTRIBUTIONS.get(parts.slice(0, length).join("."));
    if (known !== undefined) return known;
  }
  const [name = ""] = parts;
  return /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name) ? name.toLowerCase().replaceAll("_", "-") : undefined;
}

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

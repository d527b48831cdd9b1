import { ApiProblem } from "#app/_http/call-api.ts";

export interface Uploaded {
  path: string;
  size: number;
}

/** Sends a file into the workspace. By XMLHttpRequest, because fetch can't tell how far an upload is. */
export function uploadFile(
  conversationId: string,
  file: File,
  { onProgress, signal }: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<Uploaded> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api/conversations/${conversationId}/files?name=${encodeURIComponent(file.name)}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve(request.response);
      else reject(new ApiProblem(request.response?.error?.message ?? "The upload failed.", request.status));
    };
    request.onerror = () => reject(new ApiProblem("The server could not be reached.", 0));
    request.onabort = () => reject(new ApiProblem("The upload was cancelled.", 0));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

// One upload. XMLHttpRequest, because fetch tells nothing about how much has been sent.
import { Refusal, refusalFrom } from "./ask.ts";

interface Options {
  method: "POST" | "PUT";
  signal: AbortSignal;
  onProgress: (sentBytes: number) => void;
}

export function sendFile<Answer>(
  address: string,
  file: File,
  { method, signal, onProgress }: Options,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, address);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onload = () => {
      const wait = Number(request.getResponseHeader("retry-after"));
      if (request.status < 300) resolve(request.response);
      else reject(refusalFrom(request.status, request.response, wait));
    };
    request.onerror = () => reject(new Refusal(0, "unreachable", "The connection broke. Try again."));
    request.onabort = () => reject(new Refusal(0, "cancelled", "Cancelled."));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    if (signal.aborted) reject(new Refusal(0, "cancelled", "Cancelled."));
    else request.send(file);
  });
}

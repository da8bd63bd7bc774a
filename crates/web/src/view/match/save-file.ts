/**
 * The time within which the browser must have read the content of a saved file, in milliseconds.
 */
const READABLE_MS = 60_000;

/** Saves a file on the user's device, like a link with the attribute `download`. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), READABLE_MS);
}

/** The time for which the browser can read a saved file, in milliseconds. */
const READABLE_MS = 60_000;

/** Offers a file to the user, as a link with `download` does. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), READABLE_MS);
}

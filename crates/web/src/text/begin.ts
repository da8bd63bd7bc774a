/** A sentence begins with a capital letter. */
export function begin(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

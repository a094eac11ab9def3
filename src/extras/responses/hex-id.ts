/** The number of hex digits in an id, as recorded since September 2025. */
const digits = 50;

/** An id such as `resp_…`. */
export function hexId(prefix: string, random: () => number): string {
  let id = prefix;
  while (id.length < prefix.length + digits) id += Math.floor(random() * 16).toString(16);
  return id;
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Random letters and digits that hide how long a text is. */
export function randomText(length: number, random: () => number): string {
  let text = "";
  while (text.length < length) text += letters.charAt(Math.floor(random() * letters.length));
  return text;
}

/** Stands in the bundle for two packages of tus-js-client: each browser that the page knows has both by itself. */
export const Base64 = {
  encode: (text: string): string =>
    btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')),
};

/** Takes a base without an origin, too, which those of browsers refuse. */
export default class extends URL {
  constructor(link: string, base: string) {
    super(link, new URL(base, location.href));
  }
}

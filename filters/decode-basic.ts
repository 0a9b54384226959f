const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const control = /[\0-\x1f\x7f]/;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** User and password, split at the first colon and otherwise exactly as received; undefined for anything malformed. */
export function decodeBasic(encoded: string): { readonly user: string; readonly password: string } | undefined {
  if (!base64.test(encoded)) return undefined;
  let text: string;
  try {
    text = atob(encoded);
    // Bytes above ASCII are UTF-8; the common case is spared the second pass.
    if (/[^\0-\x7f]/.test(text)) text = utf8.decode(Uint8Array.from(text, (byte) => byte.charCodeAt(0)));
  } catch {
    return undefined;
  }
  // RFC 7617 has none. Behind a password a NUL would even be overlooked: HMAC pads its key with them.
  if (control.test(text)) return undefined;
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

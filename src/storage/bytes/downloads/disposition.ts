/** Characters that every reader takes for themselves, in a quoted text and elsewhere. */
const plain = /[^A-Za-z0-9._ -]/g;

/**
 * Tells a browser to store a file under its name and not to show it: a page among the files would act for the caller.
 * The name cannot end the header, nor the quotes (RFC 6266).
 */
export function disposition(name: string): string {
  const encoded = encodeURIComponent(name.toWellFormed()).replace(/['()*!]/g, (character) => `%${hexOf(character)}`);
  return `attachment; filename="${name.replace(plain, '_')}"; filename*=UTF-8''${encoded}`;
}

/** Types that a browser shows without running anything of them. Never SVG, HTML or PDF. */
const shown = /^(?:(?:video|audio)\/[\w.+-]+|image\/(?:jpeg|png|gif|webp|avif))$/i;

/** Whether a browser may show bytes of the type in a page of the service. */
export const isShown = (type: string): boolean => shown.test(type);

/** Headers of bytes that a page of the service shows. Opened by themselves, they are in an origin of their own. */
export const shownHeaders = {
  'content-disposition': 'inline',
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;

/** Headers of bytes whose content is not trusted: a browser stores them under the name, and guesses no type. */
export const downloadHeaders = (name: string) =>
  ({ 'content-disposition': disposition(name), 'x-content-type-options': 'nosniff' }) as const;

const hexOf = (character: string): string => character.charCodeAt(0).toString(16).toUpperCase();

import { SaxesParser } from 'saxes';

const deepest = 32;
const mostElements = 20_000;

/** Roles of a party that takes tokens: what it signs are its requests. */
const takesTokens = new Set(['SPSSODescriptor', 'ApplicationServiceType']);

/**
 * The certificates that sign tokens, out of metadata as WS-Federation and SAML have them: those in a `KeyDescriptor` for
 * signing, or for nothing in particular. The signature of the document itself names a certificate too, which is none of them.
 */
export function certificatesIn(xml: string): string[] {
  const parser = new SaxesParser();
  const open: { readonly name: string; readonly type: string; readonly use: string }[] = [];
  const certificates: string[] = [];
  let elements = 0;
  let text: string | undefined;

  parser.on('doctype', () => {
    throw new Error('Expected metadata without a DOCTYPE: one');
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length === deepest || ++elements > mostElements) {
      throw new Error(`Expected metadata of at most ${mostElements} elements, ${deepest} deep: more`);
    }
    const named = Object.entries(attributes).map(([attribute, value]) => [localName(attribute), value] as const);
    const attributeOf = (attribute: string) => named.find(([each]) => each === attribute)?.[1] ?? '';
    open.push({ name: localName(name), type: localName(attributeOf('type')), use: attributeOf('use') });
    // Metadata of a whole federation would let any member vouch for any user.
    if (elements === 1 && open[0]!.name !== 'EntityDescriptor') {
      throw new Error('Expected the metadata of one party, in an EntityDescriptor: another element');
    }
    if (open.at(-1)!.name === 'X509Certificate' && signsTokens()) text = '';
  });
  const add = (part: string) => {
    if (text !== undefined) text += part;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    if (open.pop()!.name !== 'X509Certificate' || text === undefined) return;
    certificates.push(text);
    text = undefined;
  });

  function signsTokens(): boolean {
    const key = open.find(({ name }) => name === 'KeyDescriptor');
    if (!key || (key.use !== 'signing' && key.use !== '')) return false;
    return !open.some(({ name, type }) => takesTokens.has(name) || takesTokens.has(type));
  }

  parser.write(xml).close();
  return [...new Set(certificates)];
}

/** Name without the prefix, which each document chooses freely. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

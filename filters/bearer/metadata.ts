import { SaxesParser } from 'saxes';
import type { Host } from '../../src/spi/index.ts';
import { urlProblem } from './configuration.ts';
import { isJsonObject, type JsonObject, ownProperty, readObject } from './json.ts';
import type { KeySet } from './key-source.ts';
import { readKeys } from './key-texts.ts';
import { keyFromJwk, type VerificationKey } from './verification-key.ts';

const maxDepth = 32;
const maxElements = 20_000;

/** Roles of a party that takes tokens: what it signs are its requests. */
const takesTokens = new Set(['SPSSODescriptor', 'ApplicationServiceType']);

/**
 * The certificates that sign tokens, out of metadata as WS-Federation and SAML have them: those in a `KeyDescriptor` for
 * signing, or for nothing in particular. The signature of the document itself names a certificate too, which is none of them.
 */
function certificatesIn(xml: string): string[] {
  const parser = new SaxesParser();
  const open: { readonly name: string; readonly type: string; readonly use: string }[] = [];
  const certificates: string[] = [];
  let elements = 0;
  let text: string | undefined;

  parser.on('doctype', () => {
    throw new Error('Expected metadata without a DOCTYPE: one');
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length === maxDepth || ++elements > maxElements) {
      throw new Error(`Expected metadata of at most ${maxElements} elements, ${maxDepth} deep: more`);
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

interface Metadata {
  readonly host: Host;
  readonly url: string;
  /** The operator named this address. What its documents name is looked at like any other. */
  readonly trusted: boolean;
  readonly allowPlainText: boolean;
  readonly signal: AbortSignal;
}

/** Milliseconds, for each of at most two documents. */
const timeout = 5_000;
const mostBytes = 1_048_576;
const maxKeys = 100;

/** The keys that sign tokens, from federation metadata (XML), a key set (JSON), or a discovery document that leads to one. */
export async function fetchKeys(metadata: Metadata): Promise<KeySet> {
  const text = await read(metadata);
  if (text.trimStart().startsWith('<')) {
    return { keys: usable((await readKeys('x509Certificate', certificatesIn(text))).keys) };
  }
  const document = readObject(text);
  if (!document) throw new Error('Expected XML or a JSON object, each name once: something else');
  const next = ownProperty(document, 'jwks_uri');
  if (typeof next !== 'string' || ownProperty(document, 'keys') !== undefined) return { keys: await keysOf(document) };
  const problem = urlProblem(next, metadata.allowPlainText);
  if (problem) throw new Error(`${problem} (jwks_uri)`);
  // A document of the same origin is as trusted as the metadata that names it. Another origin is not.
  const trusted = metadata.trusted && new URL(next).origin === new URL(metadata.url).origin;
  const listed = readObject(await read({ ...metadata, url: next, trusted }));
  if (!listed) throw new Error('Expected a JSON object, each name once, at jwks_uri: something else');
  return { keys: await keysOf(listed), issuer: issuerOf(document) };
}

/** Documents for all customers of a provider have a placeholder in braces there, which no token has. */
function issuerOf(document: JsonObject): string | undefined {
  const issuer = ownProperty(document, 'issuer');
  return typeof issuer === 'string' && !issuer.includes('{') ? issuer : undefined;
}

async function read({ host, url, trusted, signal }: Metadata): Promise<string> {
  const headers = { accept: 'application/json, application/samlmetadata+xml, application/xml, */*;q=0.1' };
  const { status, text } = await host.call({ url, method: 'GET', headers, timeout, mostBytes, trusted, signal });
  if (status !== 200) throw new Error(`Expected status 200 from "${new URL(url).hostname}": ${status}`);
  return text;
}

async function keysOf(document: JsonObject): Promise<readonly VerificationKey[]> {
  const listed = ownProperty(document, 'keys');
  if (!Array.isArray(listed))
    throw new Error('Expected a list of keys in "keys", or an address in "jwks_uri": neither');
  if (listed.length > maxKeys) throw new Error(`Expected at most ${maxKeys} keys: ${listed.length}`);
  // Sets hold keys for other purposes too, and of kinds that are not known here.
  const read = await Promise.allSettled(
    listed.filter(isJsonObject).map(async (each, index) => keyFromJwk(`key ${index + 1}`, each)),
  );
  return usable(read.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])));
}

function usable(keys: readonly VerificationKey[]): readonly VerificationKey[] {
  if (keys.length === 0) throw new Error('Expected a key that signs tokens: none');
  return keys;
}

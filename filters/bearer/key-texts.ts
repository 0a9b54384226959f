import { readBase64 } from '../../src/kit/index.ts';
import { readCertificate } from './certificate.ts';
import type { ConfigurationProblem } from './configuration.ts';
import { derChildren, elementsOf } from './der.ts';
import { ownProperty, readObject } from './json.ts';
import { keyFromDer, keyFromJwk, type VerificationKey } from './verification-key.ts';

type KeyElement = 'x509Certificate' | 'publicKey';

interface Keys {
  readonly keys: readonly VerificationKey[];
  readonly problems: readonly ConfigurationProblem[];
}

/** Limit of keys: each is tried for a token with an unknown signature. */
const maxKeys = 100;
const maxTextLength = 65_536;

/** The keys of all texts of one element: PEM, bare Base64, and for public keys JSON Web Keys. What cannot be used is told, and left out. */
export async function readKeys(element: KeyElement, texts: readonly string[]): Promise<Keys> {
  const problems: ConfigurationProblem[] = [];
  const keys: VerificationKey[] = [];
  if (texts.length > maxKeys) {
    problems.push({ element, explanation: `Expected at most ${maxKeys} entries in ${element}: ${texts.length}` });
  }
  for (const [index, text] of texts.slice(0, maxKeys).entries()) {
    const name = `${element} ${index + 1}`;
    try {
      keys.push(...(await readText(name, element, text)));
    } catch (error) {
      problems.push({ element, explanation: `${(error as Error).message} (${name})` });
    }
  }
  return { keys, problems };
}

async function readText(name: string, element: KeyElement, text: string): Promise<VerificationKey[]> {
  if (text.length > maxTextLength) throw new Error(`Expected at most ${maxTextLength} characters: ${text.length}`);
  if (element === 'publicKey' && text.trimStart().startsWith('{')) return [await readJwk(name, text)];
  const keys: VerificationKey[] = [];
  for (const der of blocksOf(element, text)) keys.push(await keyOf(name, element, der));
  return keys;
}

function readJwk(name: string, text: string): Promise<VerificationKey> {
  const jwk = readObject(text);
  if (!jwk) throw new Error('Expected one JSON Web Key, each of its names once: something else');
  if (ownProperty(jwk, 'd') !== undefined)
    throw new Error('Expected a public key: a private one, which should be nowhere but with its owner');
  return keyFromJwk(name, jwk);
}

const labels: Readonly<Record<KeyElement, string>> = { x509Certificate: 'CERTIFICATE', publicKey: 'PUBLIC KEY' };
const expected: Readonly<Record<KeyElement, string>> = {
  x509Certificate: 'Expected a certificate (X.509), in PEM or as Base64',
  publicKey: 'Expected a public key (SubjectPublicKeyInfo in PEM or as Base64, or a JSON Web Key)',
};

/** Each block of PEM, or the whole text as Base64. What stands between blocks is for people. */
function blocksOf(element: KeyElement, text: string): Uint8Array[] {
  const parts = text.split('-----');
  const blocks: string[] = parts.length === 1 ? [text] : [];
  for (const [index, part] of parts.entries()) {
    const [, label] = /^BEGIN ([A-Z0-9 ]+)$/.exec(part) ?? [];
    if (label === undefined) continue;
    if (label.endsWith('PRIVATE KEY'))
      throw new Error(`${expected[element]}: a private key, which should be nowhere but with its owner`);
    if (label !== labels[element]) throw new Error(`${expected[element]}: "BEGIN ${label.slice(0, 40)}"`);
    if (parts[index + 2] !== `END ${label}`) throw new Error(`${expected[element]}: a block without its end`);
    blocks.push(parts[index + 1]!);
  }
  if (blocks.length === 0) throw new Error(`${expected[element]}: no block of PEM`);
  return blocks.map((block) => {
    const der = readBase64(block);
    if (!der) throw new Error(`${expected[element]}: it is not Base64`);
    return der;
  });
}

async function keyOf(name: string, element: KeyElement, der: Uint8Array): Promise<VerificationKey> {
  const form = formOf(der);
  if (form !== element) {
    const instead = form === undefined ? 'something else' : `one that belongs into ${form}`;
    throw new Error(`${expected[element]}: ${instead}`);
  }
  if (element === 'publicKey') return keyFromDer(name, der);
  const { key, validity } = readCertificate(der);
  return keyFromDer(name, key, validity);
}

/** Two parts are a key and its kind, three a certificate and its signature. */
function formOf(der: Uint8Array): KeyElement | undefined {
  try {
    const elements = elementsOf(der);
    const form =
      elements.length === 1
        ? derChildren(elements[0])
            .map(({ tag }) => tag.toString(16))
            .join(' ')
        : '';
    return new Map<string, KeyElement>([
      ['30 3', 'publicKey'],
      ['30 30 3', 'x509Certificate'],
    ]).get(form);
  } catch {
    return undefined;
  }
}

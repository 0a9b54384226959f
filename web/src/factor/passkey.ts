import type { AuthenticatorAnswerType, PasskeyChallengeDocument, SecondFactorOfferDocument } from 'portico/types';

/** Passkeys of the browser, in the words of the API of the service. */

export const hasPasskeys = 'credentials' in navigator && 'PublicKeyCredential' in window;

const utf8 = new TextEncoder();

function text64(buffer: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

const named = (ids: readonly string[] = []): PublicKeyCredentialDescriptor[] =>
  ids.map((id) => ({ type: 'public-key', id: bytesOf(id) }));

/** Makes a passkey. Undefined: the person did not want to. */
export async function makePasskey(offer: SecondFactorOfferDocument): Promise<AuthenticatorAnswerType | undefined> {
  const { challenge = '', host = '', userId = '', userName = '', algorithm = [], credential } = offer;
  const answer = await credentialOf(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: utf8.encode(challenge),
        rp: { id: host, name: 'Portico' },
        user: { id: utf8.encode(userId), name: userName, displayName: userName },
        pubKeyCredParams: algorithm.map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: named(credential),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
        attestation: 'none',
      },
    }),
  );
  if (!answer) return undefined;
  const response = answer.response as AuthenticatorAttestationResponse;
  return {
    id: text64(answer.rawId),
    clientData: text64(response.clientDataJSON),
    authenticatorData: text64(response.getAuthenticatorData()),
    publicKey: text64(response.getPublicKey() ?? new ArrayBuffer(0)),
    algorithm: response.getPublicKeyAlgorithm(),
  };
}

/** Has a passkey answer. Undefined: the person did not want to. `alone`: no password came before. */
export async function askPasskey(
  { challenge = '', host = '', credential }: PasskeyChallengeDocument,
  alone: boolean,
): Promise<AuthenticatorAnswerType | undefined> {
  const answer = await credentialOf(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: utf8.encode(challenge),
        rpId: host,
        allowCredentials: named(credential),
        userVerification: alone ? 'required' : 'preferred',
      },
    }),
  );
  if (!answer) return undefined;
  const response = answer.response as AuthenticatorAssertionResponse;
  return {
    id: text64(answer.rawId),
    clientData: text64(response.clientDataJSON),
    authenticatorData: text64(response.authenticatorData),
    signature: text64(response.signature),
  };
}

/** A browser throws where the person says no, or the authenticator has the passkey already. */
async function credentialOf(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential | undefined> {
  try {
    return ((await ask()) as PublicKeyCredential | null) ?? undefined;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

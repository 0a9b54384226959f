import { maskUserInfo } from '../lib/user-info.ts';
import type { Parameters } from '../security/parameters.ts';
import type { ActorRequest } from '../store/contract.ts';
import type { Call } from './call.ts';

/** What is kept of the request behind a change. */
export function actorRequestOf({ method, parameters, request: { headers }, trace, address }: Call): ActorRequest {
  const length = headers.get('content-length');
  return {
    method: method.slice(0, 16),
    path: (trace.path ?? '').slice(0, 1000),
    query: maskedParameters(parameters),
    contentType: headers.get('content-type')?.slice(0, 100) ?? null,
    contentLength: length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null,
    address,
    proof: trace.proof,
  };
}

const secretive = /pass|pwd|^pw$|^pin$|secret|token|jwt|key|auth|credential|^sig|signature|session|code/i;
const longest = 2_000;

/** What somebody puts into an address by mistake must not be kept because of that. */
function maskedParameters(parameters: Parameters): string | null {
  if (parameters.size === 0) return null;
  const pairs: string[] = [];
  for (const [name, values] of parameters) {
    for (const value of values) {
      const kept = secretive.test(name) ? '***' : encodeURIComponent(maskUserInfo(value));
      pairs.push(`${encodeURIComponent(maskUserInfo(name))}=${kept}`);
    }
  }
  return pairs.join('&').slice(0, longest);
}

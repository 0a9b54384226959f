import type { Subject } from '../../security/subject.ts';
import type { LoginWay } from '../tables.ts';
import { deviceOf } from './device.ts';

/** Where a login comes from, as its user sees it. */
export interface LoginOrigin {
  readonly way: LoginWay;
  /** Realm, filter or provider that accepted it. */
  readonly realm?: string | undefined;
  readonly device?: string | undefined;
  readonly address?: string | undefined;
}

/** Way and realm by which the caller of a request came in. */
export const waysOf = ({ proof, entrance }: Subject): Pick<LoginOrigin, 'way' | 'realm'> => ({
  way: proof?.kind ?? (entrance?.kind === 'redirect' ? 'provider' : entrance?.kind) ?? 'filter',
  realm: entrance?.by.join(', ') || undefined,
});

/** Request by which a login begins. */
export interface Place {
  readonly request: Request;
  /** Address of the caller, from the socket or from a trusted proxy. */
  readonly address: string | undefined;
}

/** Device and address of a request. */
export const placeOf = ({ request, address }: Place): Pick<LoginOrigin, 'device' | 'address'> => ({
  device: deviceOf(request.headers.get('user-agent')),
  address,
});

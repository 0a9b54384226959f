import type { Proof, Subject } from './subject.ts';

/** An account as it was when a request was kept. It holds no credential. */
export interface KeptAccount {
  readonly id: string;
  /** A new password ends what was kept before it. */
  readonly passwordVersion: number;
}

/** Whose request was kept for later, and what their right to it rested on. */
export interface KeptCaller {
  /** The account whose credentials the request carried. */
  readonly account: KeptAccount;
  readonly proof?: Pick<Proof, 'kind' | 'key'> | undefined;
  /** The user that the account acted for. */
  readonly runAs?: KeptAccount | undefined;
}

/** Undefined: a realm vouches for a name that the service does not know, so nobody can be asked about later. */
export function keptCaller(subject: Subject): KeptCaller | undefined {
  const { user, actor, proof } = subject;
  const account = actor ? actor.user : user;
  if (!user || !account) return undefined;
  const kept = ({ id, passwordVersion }: KeptAccount): KeptAccount => ({ id, passwordVersion });
  return {
    account: kept(account),
    ...(proof && { proof: { kind: proof.kind, ...(proof.key !== undefined && { key: proof.key }) } }),
    ...(actor && { runAs: kept(user) }),
  };
}

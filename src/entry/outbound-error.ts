import { OutboundError, type OutboundErrorKind } from '../core/outbound/wire.ts';

/** By code and system call. Where something was read or written, there was a connection. */
const kinds: readonly (readonly [pattern: RegExp, kind: OutboundErrorKind, expected: string])[] = [
  [/^(?:ENOTFOUND|EAI_)/, 'dns', 'a name that can be resolved'],
  [/CERT|TLS|SSL|^EPROTO|HOSTNAME_MISMATCH/, 'tls', 'a certificate that is valid for the name'],
  [/ (?:read|write)$/, 'answer', 'a whole HTTP answer'],
  [
    /^E(?:CONNREFUSED|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN|TIMEDOUT|ADDRNOTAVAIL|ACCES|PERM) /,
    'connect',
    'a connection',
  ],
  [/^/, 'answer', 'a whole HTTP answer'],
];

/** Quotes the code or the name alone: the sentence of a runtime may have anything in it. */
export function outboundError(error: unknown, host: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const { name = 'error', code = name, syscall = '' } = error as Partial<NodeJS.ErrnoException>;
  const [, kind, expected] = kinds.find(([pattern]) => pattern.test(`${code} ${syscall}`))!;
  return new OutboundError(kind, `Expected ${expected} from "${host}": "${code}"`, error);
}

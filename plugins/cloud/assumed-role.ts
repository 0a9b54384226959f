import type { ActionCall, Host } from '../../src/spi/index.ts';
import { type Signer, signedHeaders } from './signature.ts';

/** Keys of a role, for a limited time. */
export type Keys = Pick<Signer, 'accessKey' | 'secret' | 'sessionToken'>;

/** A role that could not be taken on. `again`: another attempt may succeed. */
export interface RoleRefusal {
  readonly again: boolean;
  readonly reason: string;
}

/** Roles whose keys are cached. */
const mostRoles = 1_000;
/** Milliseconds before their end at which keys are renewed. */
const early = 5 * 60_000;
const seconds = 3_600;

type RoleTexts = Pick<ActionCall, 'texts' | 'signal'>;

/** Takes on roles at the Security Token Service, and caches their keys. */
export function createRoles(
  host: Host,
  { endpoint, timeout }: { readonly endpoint?: string; readonly timeout: number },
) {
  const cache = new Map<string, { readonly keys: Keys; readonly until: number }>();

  return async ({ texts, signal }: RoleTexts, own: Keys, region: string): Promise<Keys | RoleRefusal> => {
    const { roleArn = '', roleSessionName, roleExternalId } = texts;
    const key = host.digest(
      JSON.stringify([roleArn, roleSessionName, roleExternalId, own.accessKey, own.secret, region]),
    );
    const cached = cache.get(key);
    if (cached && cached.until - early > host.now()) return cached.keys;
    const fields = {
      ...{ Action: 'AssumeRole', Version: '2011-06-15', RoleArn: roleArn, DurationSeconds: String(seconds) },
      RoleSessionName: roleSessionName || 'portico',
      ...(roleExternalId && { ExternalId: roleExternalId }),
    };
    const body = new URLSearchParams(fields).toString();
    const url = new URL(endpoint || `https://sts.${region}.amazonaws.com/`);
    const headers = await signedHeaders(
      { ...own, region, service: 'sts' },
      {
        ...{ method: 'POST', url, body, at: host.now() },
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      },
    );
    const limits = { timeout, mostBytes: 20_000, longer: 'cut' } as const;
    const { status, text } = await host.call({ url: url.href, method: 'POST', headers, body, signal, ...limits });
    const keys = status === 200 ? keysIn(text) : undefined;
    if (!keys) {
      const reason = `Expected keys of the role ${roleArn.slice(0, 200)}: status ${status}`;
      return { again: status >= 500 || status === 429 || /Throttl|RequestExpired/.test(text), reason };
    }
    if (cache.size >= mostRoles) cache.delete(cache.keys().next().value!);
    cache.set(key, { keys, until: host.now() + seconds * 1000 });
    return keys;
  };
}

function keysIn(xml: string): Keys | undefined {
  const [accessKey, secret, sessionToken] = ['AccessKeyId', 'SecretAccessKey', 'SessionToken'].map(
    (name) => new RegExp(`<${name}>\\s*([\\w+/=-]{1,4096})\\s*</${name}>`).exec(xml)?.[1],
  );
  return accessKey && secret && sessionToken ? { accessKey, secret, sessionToken } : undefined;
}

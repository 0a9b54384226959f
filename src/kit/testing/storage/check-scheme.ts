import type { Host, StorageAddress, StorageDriver, StorageScheme } from '../../../spi/index.ts';
import { canary, secretText } from '../credentials.ts';
import type { Backend } from '../host.ts';
import { findLeaks, printedDuring } from '../leaks.ts';
import { echoes } from '../realm-backends.ts';
import { broken, type CheckResult, inspect, type Promises, quoteText, showValue } from '../result.ts';
import { virtualTimeHost } from '../virtual-time-host.ts';
import { checkStorageDriver } from './check-driver.ts';
import type { DriverUnderTest } from './driver-trial.ts';

export interface SchemeUnderTest extends Pick<DriverUnderTest, 'holds' | 'openHandles' | 'largest' | 'patience'> {
  make(host: Host): Promise<StorageScheme> | StorageScheme;
  /** Normal answers of the backend to `host.call`, `host.stream` and `host.fetch`. */
  readonly backend?: Backend | undefined;
  /**
   * Addresses of locations that are empty or contain `holds`, another one for each number. Undefined: no driver is
   * tested.
   */
  readonly places?: ((number: number) => StorageAddress) | undefined;
}

const unreachable: Backend = () => Promise.reject(new TypeError('fetch failed'));

/** The contract of a storage scheme, and with `places` that of its drivers. */
export async function checkStorageScheme(subject: SchemeUnderTest): Promise<CheckResult[]> {
  const { make, backend, places } = subject;
  const results = await inspect({
    'names the schemes that it opens': async () => {
      const { schemes } = await make(virtualTimeHost({ backend }));
      const odd = schemes.find((name) => !/^[a-z][a-z0-9+.-]*$/.test(name));
      if (schemes.length === 0 || odd !== undefined)
        broken('schemes in small letters, without a colon', `"${odd ?? ''}"`);
    },
    'names the hosts where it works': async () => {
      const { hosts } = await make(virtualTimeHost({ backend }));
      const odd = hosts.find((name) => name !== 'server' && name !== 'edge');
      if (hosts.length === 0 || odd !== undefined) broken('"server", "edge" or both', `"${odd ?? ''}"`);
    },
    'says in a sentence what is wrong with an address, without its secret': async () => {
      const scheme = await make(virtualTimeHost({ backend }));
      const [name] = scheme.schemes;
      for (const uri of [
        `${name}:`,
        `${name}://`,
        `${name}:///..`,
        `${name}:///two words/?#`,
        `${name}://%/`,
        '',
        'x',
      ]) {
        const defect: unknown = scheme.defect?.({ uri, user: 'somebody', password: secretText(canary) });
        if (defect !== undefined && (typeof defect !== 'string' || defect.trim() === ''))
          broken(`a sentence, or nothing, about ${quoteText(uri)}`, showValue(defect));
        findLeaks([canary], { 'what it says of an address': defect });
      }
    },
    ...(places && ofPlaces(subject, places)),
  });
  return places ? [...results, ...(await ofDrivers(subject, places))] : results;
}

const ofPlaces = ({ make, backend }: SchemeUnderTest, places: (number: number) => StorageAddress): Promises => ({
  'opens places of its schemes, and asks nobody before it must': async () => {
    const host = virtualTimeHost({ backend });
    const scheme = await make(host);
    const address = places(1);
    if (!scheme.schemes.some((name) => address.uri.startsWith(`${name}:`)))
      broken(`an address of ${scheme.schemes.join(' or ')}`, quoteText(address.uri));
    const defect: unknown = scheme.defect?.(address);
    if (defect !== undefined) broken(`no complaint about ${quoteText(address.uri)}`, showValue(defect));
    const driver = scheme.open(address);
    if (host.requests.length > 0) broken('no request before the place is asked for something', host.requests[0]!.url);
    await driver.close?.();
  },

  'tells no secret of an address to logs and errors': async () => {
    const address = { user: 'somebody', ...places(2), password: secretText(canary) };
    for (const answer of [unreachable, ...Object.values(echoes)]) {
      const outputs: unknown[] = [];
      const printed = await printedDuring(async () => {
        const host = virtualTimeHost({ backend: answer });
        const driver = (await make(host)).open(address);
        for (const ask of asks(driver)) outputs.push(await ask().catch((error: unknown) => error));
        outputs.push(host.logged);
        await driver.close?.();
      });
      findLeaks([canary], { 'an error, an answer or the log': outputs, 'what is printed': printed });
    }
  },
});

const asks = (driver: StorageDriver): readonly (() => Promise<unknown>)[] => [
  async () => driver.check(),
  async () => driver.stat('a.mov'),
  async () => void (await driver.read('a.mov')).body.cancel(),
  async () => driver.list?.({ limit: 10 }),
  async () => driver.stage?.(new Response('x').body!),
];

async function ofDrivers(
  { make, backend, ...subject }: SchemeUnderTest,
  places: (number: number) => StorageAddress,
): Promise<CheckResult[]> {
  // Number of hosts, which seeds each differently, like processes that share a location.
  let hosts = 0;
  const opened = async (place: number, answer: Backend | undefined) => {
    const host = virtualTimeHost({ backend: answer, seed: ++hosts });
    return { host, driver: (await make(host)).open(places(place)) };
  };
  const { host, driver } = await opened(0, backend);
  await driver.check().catch(() => undefined);
  await driver.close?.();
  const overNetwork = host.requests.length > 0;
  return checkStorageDriver({
    ...subject,
    open: async (place) => (await opened(place, backend)).driver,
    ...(overNetwork && { unreachable: async () => (await opened(1, unreachable)).driver }),
    ...(backend && { fetch: backend }),
  });
}

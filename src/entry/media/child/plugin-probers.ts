import { systemClock } from '../../../core/lib/clock.ts';
import { systemRandom } from '../../../core/lib/random.ts';
import type { ConfiguredProber, Host, Prober } from '../../../spi/index.ts';
import { hasher } from '../../crypto.ts';
import { type ProberModule, proberModule, readPlugin } from '../../plugins/check-plugin.ts';
import { importModule } from '../../plugins/import-module.ts';

/** Description of a prober, by which a media process creates it again. */
export interface ProberDescription extends ProberModule {
  readonly object: string;
  readonly properties: ConfiguredProber['properties'];
}

export function proberDescription({ name, component, properties }: ConfiguredProber): ProberDescription {
  const module = proberModule(component);
  if (!module) throw new Error(`Expected a prober of a plugin folder or a package: ${name}`);
  return { ...module, object: name, properties };
}

const probersByKey = new Map<string, Promise<Prober>>();

/** Made once in the life of the process. */
export function proberFrom(told: ProberDescription): Promise<Prober> {
  const key = JSON.stringify(told);
  const prober = probersByKey.get(key) ?? make(told);
  probersByKey.set(key, prober);
  return prober;
}

async function make({ path, isTypeScript, className, object, properties }: ProberDescription): Promise<Prober> {
  const plugin = readPlugin(await importModule(path, isTypeScript));
  const component = plugin.probers?.[className];
  if (!component) throw new Error(`Expected the prober ${className} in the plugin ${plugin.name}`);
  return component.create(properties, proberHost(object));
}

const noNetwork = (): never => {
  throw new Error('Expected a prober that calls nobody');
};

/** A prober has the media, the time and randomness, and nothing else. */
const proberHost = (name: string): Host => ({
  name,
  now: () => systemClock.now(),
  sleep: (milliseconds, signal) => systemClock.sleep(milliseconds, signal),
  randomBytes: (length) => systemRandom.bytes(length),
  fetch: async () => noNetwork(),
  call: async () => noNetwork(),
  stream: async () => noNetwork(),
  scrypt: async () => noNetwork(),
  digest: noNetwork,
  hasher,
  sharesWork: true,
  log: (level, event, fields) => console.error(JSON.stringify({ level, event, ...fields })),
});

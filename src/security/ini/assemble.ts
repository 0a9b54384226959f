import { inTime } from '../../core/lib/clock.ts';
import { sentenceOf } from '../../core/lib/messages.ts';
import type {
  AuthenticationListener,
  ComponentKind,
  ConfiguredProber,
  Filter,
  Host,
  NotificationAction,
  Plugin,
  Prober,
  Realm,
  RedirectLogin,
  SearchEngine,
  StorageScheme,
  Transcoder,
} from '../../spi/index.ts';
import type { ChainPlan, StepPlan } from './chains/plan.ts';
import { type Finding, Findings, quoted } from './findings.ts';
import { referencesOf } from './objects/finish.ts';
import { propertiesOf, type Referred, redacted } from './objects/properties.ts';
import { openSecrets, type SecretSource } from './objects/secrets.ts';
import { hasReference, kindNames, type ObjectPlan } from './objects/types.ts';
import { registryOf } from './registry.ts';
import { type Blueprint, type IniOptions, readSecurityIni } from './security-ini.ts';
import type { ChainParts, SecurityInput, SecurityParts, StepParts } from './security-parts.ts';

export interface Assembled {
  /** Missing when there is an error among the findings. */
  readonly parts: SecurityParts | undefined;
  readonly findings: readonly Finding[];
  /** Created objects that must be closed after use, the newest first. */
  readonly closing: readonly Closing[];
  /** States of search engines that were asked. */
  readonly engines: readonly string[];
}

export interface Closing {
  readonly name: string;
  close(): Promise<void> | void;
}

interface AssembleOptions {
  /** Secrets that values name. Undefined: the configuration is only checked, and its secrets are not there. */
  readonly secrets?: SecretSource | undefined;
  /** Milliseconds that one component has to be made. */
  readonly within?: number;
  /** True: search engines are asked for their state. One that does not answer is a warning at its line. */
  readonly asksEngines?: boolean | undefined;
}

/** Makes the objects of a blueprint, each with a host of its own. Whatever a component does wrong is a finding at its line. */
export async function assemble(
  blueprint: Blueprint,
  makeHost: (name: string) => Host,
  { within = 30_000, secrets: source, asksEngines }: AssembleOptions = {},
): Promise<Assembled> {
  const findings = new Findings(blueprint.file);
  const instances = new Map<ObjectPlan, unknown>();
  const secrets = await openSecrets(blueprint.objects, source, findings);
  const referred: Referred = { created: instances, secrets };
  const closing: Closing[] = [];
  for (const plan of blueprint.objects) {
    const instance = await create(plan, referred, { host: makeHost(plan.name), within }, findings);
    if (instance === undefined) continue;
    instances.set(plan, instance);
    const close = closerOf(plan.name, instance);
    if (close) closing.unshift(close);
  }
  const chains = blueprint.chains.map((chain) => chainParts(chain, referred, findings));
  const engines: string[] = [];
  for (const plan of asksEngines ? blueprint.searchEngines : []) {
    const state = await stateOf(plan, referred, { host: makeHost(plan.name), within }, findings);
    if (state !== undefined) engines.push(`${plan.name}: ${state}`);
  }
  const { strategy, caseInsensitive, allowConfigUpdate } = blueprint;
  const parts = (): SecurityParts => ({
    realms: blueprint.realms.map((plan) => ({ name: plan.name, realm: instances.get(plan) as Realm })),
    strategy,
    logins: blueprint.logins.map((plan) => ({ name: plan.name, login: instances.get(plan) as RedirectLogin })),
    listeners: blueprint.listeners.map((plan) => ({
      name: plan.name,
      asks: [...referencesOf(plan)].map(({ name }) => name),
      listener: instances.get(plan) as AuthenticationListener,
    })),
    actions: blueprint.actions.map((plan) => ({
      name: plan.name,
      className: plan.entry.className,
      action: instances.get(plan) as NotificationAction,
    })),
    storages: blueprint.storages.map((plan) => instances.get(plan) as StorageScheme),
    searchEngines: blueprint.searchEngines.map((plan) => instances.get(plan) as SearchEngine),
    probers: blueprint.probers.map((plan) => configured(plan, referred)),
    transcoders: blueprint.transcoders.map((plan) => instances.get(plan) as Transcoder),
    chains,
    caseInsensitive,
    allowConfigUpdate,
  });
  return {
    parts: findings.failed ? undefined : parts(),
    findings: findings.list(),
    closing,
    engines,
  };
}

/** State of a search engine as it tells it. Undefined: it does not answer, which is a finding. */
async function stateOf(
  plan: ObjectPlan,
  { created, secrets }: Referred,
  { host, within }: { readonly host: Host; readonly within: number },
  findings: Findings,
): Promise<string | undefined> {
  const engine = created.get(plan) as SearchEngine | undefined;
  if (!engine) return undefined;
  if ([...plan.values.values()].some(({ value }) => hasReference(value)))
    return 'not asked, the database has its secrets';
  try {
    const late = () => new Error(`Expected an answer of the search engine within ${within} ms`);
    const { says, documents } = await inTime(Promise.resolve(engine.state()), host, within, late);
    return `${says}, ${documents} documents`;
  } catch (error) {
    const message = sentenceOf(error, (text) => redacted(text, plan, secrets));
    findings.warning(
      'no-answer',
      plan.position,
      /^Expected /.test(message) ? message : `Expected an answer of ${plan.name}: ${message}`,
    );
    return undefined;
  }
}

const configured = (plan: ObjectPlan, referred: Referred): ConfiguredProber => ({
  name: plan.name,
  prober: referred.created.get(plan) as Prober,
  component: plan.entry.component!,
  properties: propertiesOf(plan, referred) as ConfiguredProber['properties'],
});

async function create(
  plan: ObjectPlan,
  referred: Referred,
  { host, within }: { readonly host: Host; readonly within: number },
  findings: Findings,
): Promise<unknown> {
  const properties = propertiesOf(plan, referred);
  // A dependency could not be created, which has its own finding.
  if (!properties) return undefined;
  try {
    const making = Promise.resolve(plan.entry.component!.create(properties, host));
    const instance = await inTime(making, host, within, () => new Error(`it took longer than ${within} ms`));
    const lack = lackOf(plan.entry.kind as ComponentKind, instance);
    if (lack === undefined) return instance;
    const message = `Expected ${kindNames[plan.entry.kind]} from ${plan.entry.className}: ${lack}`;
    findings.error('junk', plan.position, message);
  } catch (error) {
    const sentence = sentenceOf(error, (text) => redacted(text, plan, referred.secrets));
    const message = /^Expected /.test(sentence)
      ? sentence
      : `Expected ${plan.name} (${plan.entry.className}) to be made: ${sentence}`;
    findings.error('not-made', plan.position, message);
  }
  return undefined;
}

/** Methods of which each kind must have all, or one of several. */
const methods: Readonly<
  Record<
    ComponentKind,
    { readonly all?: readonly string[]; readonly any?: readonly string[]; readonly may?: readonly string[] }
  >
> = {
  realms: { all: ['supports', 'authenticate'] },
  filters: { all: ['check'], may: ['options', 'isPermissive'] },
  logins: { all: ['begin', 'finish'], may: ['again', 'end', 'ended', 'close'] },
  listeners: { any: ['onSuccess', 'onFailure'] },
  userInfoProviders: { all: ['userInfo'] },
  matchers: { all: ['matches'] },
  actions: { all: ['perform'], may: ['defect'] },
  storages: { all: ['open'], may: ['defect'] },
  searchEngines: { all: ['state', 'begin', 'finish', 'apply', 'can', 'search'], may: ['close'] },
  probers: { all: ['accepts', 'probe'] },
  transcoders: { all: ['abilities', 'unable', 'run', 'stills'], may: ['close'] },
};

/** Methods that a created object lacks. It comes from a plugin, so everything is checked. */
function lackOf(kind: ComponentKind, instance: unknown): string | undefined {
  if ((typeof instance !== 'object' && typeof instance !== 'function') || instance === null) {
    return `${instance === null ? 'null' : typeof instance}`;
  }
  const { all = [], any = [], may = [] } = methods[kind];
  const type = (name: string) => typeof (instance as Record<string, unknown>)[name];
  const missing = all.find((name) => type(name) !== 'function');
  if (missing !== undefined) return `something without the method ${missing}`;
  if (any.length > 0 && any.every((name) => type(name) !== 'function'))
    return `something without a method ${any.join(' or ')}`;
  const odd = [...any, ...may].find((name) => !['function', 'undefined'].includes(type(name)));
  return odd === undefined ? undefined : `something whose ${odd} is no method`;
}

function closerOf(name: string, instance: unknown): Closing | undefined {
  const { close } = instance as { close?: unknown };
  return typeof close === 'function' ? { name, close: () => close.call(instance) as Promise<void> | void } : undefined;
}

function chainParts({ pattern, position, steps }: ChainPlan, referred: Referred, findings: Findings): ChainParts {
  // A filter that is switched off lets everything pass, as if it were not there.
  const atWork = steps.filter(({ filter }) => filter.enabled && referred.created.has(filter));
  return { pattern, line: position.line, steps: atWork.map((step) => stepParts(step, referred, findings)) };
}

function stepParts(
  { filter: plan, words, position }: StepPlan,
  { created, secrets }: Referred,
  findings: Findings,
): StepParts {
  const filter = created.get(plan) as Filter;
  const { name } = plan;
  if (words === undefined) return { name, filter, options: undefined };
  if (!filter.options) {
    findings.error(
      'no-brackets',
      position,
      `Expected ${name} without brackets, which it does not take: ${quoted(`[${words.join(', ')}]`)}`,
    );
    return { name, filter, options: undefined };
  }
  try {
    return { name, filter, options: filter.options(words) };
  } catch (error) {
    const sentence = sentenceOf(error, (text) => redacted(text, plan, secrets));
    const message = /^Expected /.test(sentence) ? sentence : `Expected brackets that ${name} can use: ${sentence}`;
    findings.error('brackets', position, message);
    return { name, filter, options: undefined };
  }
}

interface Shipped extends Pick<AssembleOptions, 'secrets' | 'asksEngines'>, Pick<IniOptions, 'hints'> {
  readonly plugin: Plugin;
  /** Filters that exist without being declared, by the names of their classes. */
  readonly defaultFilters: Readonly<Record<string, string>>;
  /** The path of a pattern in the spelling of the paths that it is compared with. */
  canonicalPattern(pattern: string): string;
  makeHost(name: string): Host;
}

/** Creates the security configuration from text and modules, or returns all findings. */
export async function configureSecurity(input: SecurityInput, shipped: Shipped): Promise<Assembled> {
  const { registry, findings: ofPlugins } = registryOf([shipped.plugin, ...input.plugins], {
    ...input.direct,
    defaultFilters: shipped.defaultFilters,
  });
  const ofInput = [...(input.findings ?? []), ...ofPlugins];
  // Further findings about a file that was not read would only follow from that.
  const isUnread = input.findings?.some(({ file, severity }) => file === input.file && severity === 'error');
  if (isUnread) return { parts: undefined, findings: ofInput, closing: [], engines: [] };
  const read = readSecurityIni(input.text, input.file, registry, shipped);
  const before: Finding[] = [...ofInput, ...read.findings];
  // Input that was unreadable or harmful is refused, even if the rest is valid.
  const harmed = input.findings?.some(({ severity }) => severity === 'error') ?? false;
  if (!read.blueprint || harmed) return { parts: undefined, findings: before, closing: [], engines: [] };
  const { secrets, asksEngines, makeHost } = shipped;
  const assembled = await assemble(read.blueprint, makeHost, { secrets, asksEngines });
  return { ...assembled, findings: [...before, ...assembled.findings] };
}

import { nearest } from '../../../core/lib/messages.ts';
import { type Findings, type LinePosition, quoted } from '../findings.ts';
import type { Objects } from '../objects/build.ts';
import { unsupportedNames } from '../objects/builtins.ts';
import { kindNames, type ObjectPlan } from '../objects/types.ts';
import type { IniEntry } from '../scan.ts';
import type { Ini } from '../sections.ts';
import { EarlierPatterns, patternSegments } from './cover.ts';
import { readDefinition } from './definition.ts';

export interface ChainPlan {
  /** Pattern in the canonical spelling of paths. */
  readonly pattern: string;
  readonly position: LinePosition;
  readonly steps: readonly StepPlan[];
}

export interface StepPlan {
  readonly filter: ObjectPlan;
  readonly words: readonly string[] | undefined;
  readonly position: LinePosition;
}

export interface ChainOptions {
  /** Throws a sentence for a pattern that no path can have. */
  canonicalPattern(pattern: string): string;
}

const top: LinePosition = { line: 1, column: 1 };

/** No path that a client may send is longer; it bounds how deep patterns nest. */
const maxOfPattern = 2048;

export function planChains(
  ini: Ini,
  objects: Objects,
  options: ChainOptions,
  findings: Findings,
): readonly ChainPlan[] {
  const globals = planGlobals(objects, findings);
  const section = ini.sections.get('urls');
  const chains: ChainPlan[] = [];
  for (const entry of section?.entries ?? []) {
    const pattern = patternOf(entry, options, findings);
    const steps = planSteps(entry, objects, findings);
    if (pattern !== undefined) chains.push({ pattern, position: entry.position, steps: [...globals, ...steps] });
  }
  const insensitive = objects.resolver.values.get('caseInsensitive')?.value === true;
  checkReach(chains, insensitive, section?.position ?? top, findings);
  return chains;
}

function patternOf(
  { key, position }: IniEntry,
  { canonicalPattern }: ChainOptions,
  findings: Findings,
): string | undefined {
  if (!key.startsWith('/')) {
    const message = `Expected a pattern that begins with a slash: ${quoted(key)} matches no path`;
    findings.error('pattern', position, message, `/${key}`);
    return undefined;
  }
  if (key.length > maxOfPattern) {
    findings.error('pattern', position, `Expected a pattern of at most ${maxOfPattern} characters: ${key.length}`);
    return undefined;
  }
  try {
    return canonicalPattern(key);
  } catch (error) {
    const sentence = error instanceof Error ? error.message.replace(/\.$/, '') : 'it cannot be read';
    const message = /^Expected /.test(sentence) ? sentence : `Expected a pattern that a path can match: ${sentence}`;
    findings.error('pattern', position, message);
    return undefined;
  }
}

function planSteps(entry: IniEntry, objects: Objects, findings: Findings): readonly StepPlan[] {
  const { steps, misread } = readDefinition(entry.value);
  for (const { at, message } of misread) findings.error('chain', entry.valuePosition(at), message);
  return steps.flatMap(({ name, words, at }) => {
    const position = entry.valuePosition(at);
    const filter = filterOf(name, position, objects, findings);
    return filter ? [{ filter, words, position }] : [];
  });
}

/** `filterChainResolver.globalFilters` stand first in every chain. */
function planGlobals(objects: Objects, findings: Findings): readonly StepPlan[] {
  const set = objects.resolver.values.get('globalFilters');
  const names = (set?.value as readonly string[] | undefined) ?? ['invalidRequest'];
  const position = set?.position ?? top;
  return names.flatMap((name) => {
    const filter = filterOf(name, position, objects, findings);
    return filter ? [{ filter, words: undefined, position }] : [];
  });
}

function filterOf(name: string, position: LinePosition, objects: Objects, findings: Findings): ObjectPlan | undefined {
  const object = objects.find(name);
  if (object?.entry.kind === 'filters') return object;
  // A finding already.
  if (object?.entry.kind === 'unknown') return undefined;
  if (object) {
    const message = `Expected a filter: ${quoted(name)} is ${kindNames[object.entry.kind]} (${object.entry.className})`;
    findings.error('wrong-kind', position, message);
    return undefined;
  }
  const reason = unsupportedNames.get(name);
  const filters = objects.names().filter((each) => objects.find(each)?.entry.kind === 'filters');
  if (reason)
    findings.error(
      'stateless',
      position,
      `Expected a filter that a stateless service has: ${quoted(name)} (${reason})`,
    );
  else
    findings.error(
      'unknown-filter',
      position,
      `Expected a filter, one of ${filters.slice(0, 40).join(', ')}: ${quoted(name)}`,
      nearest(name, filters),
    );
  return undefined;
}

/** Each pattern once, each line within reach, and a last line for all the rest. */
function checkReach(chains: readonly ChainPlan[], insensitive: boolean, urls: LinePosition, findings: Findings): void {
  const byPattern = new Map<string, ChainPlan>();
  const earlier = new EarlierPatterns<ChainPlan>();
  for (const chain of chains) {
    const pattern = insensitive ? chain.pattern.toLowerCase() : chain.pattern;
    const segments = patternSegments(pattern);
    const same = byPattern.get(pattern);
    const first = same ?? earlier.covering(segments);
    if (same) {
      const message = `Expected each pattern once: ${quoted(chain.pattern)} stands in line ${same.position.line} too`;
      findings.error('repeated-key', chain.position, message);
    } else if (first) {
      const covering = `line ${first.position.line} (${quoted(first.pattern)}) covers every path of ${quoted(chain.pattern)}`;
      findings.warning('dead-rule', chain.position, `Expected a line that can be reached: ${covering}`);
    }
    if (first) continue;
    byPattern.set(pattern, chain);
    earlier.add(segments, chain);
  }
  if (earlier.covering(['**'])) return;
  const message = 'Expected a last line for /**: none, so a path that no line matches is refused';
  findings.warning('no-catch-all', urls, message);
}

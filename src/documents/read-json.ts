import { isRecord } from '../lib/is-record.ts';
import { complaintAbout, doubled, notEmpty, remembered, wrongType } from './check.ts';
import type { Description, Value } from './describe.ts';
import { DocumentError, type DocumentErrorKind } from './error.ts';
import { type DocumentLimits, defaultLimits } from './limits.ts';
import { type Plan, planOf, type Slot, type Target } from './plan.ts';
import { scanJson } from './scan-json.ts';
import { bodyText } from './text.ts';

/** Where we are, as a chain upwards; spelled out only for an error. */
interface Path {
  readonly above: Path | undefined;
  readonly step: string;
}

export function readJson<D extends Description>(
  description: D,
  body: Uint8Array | string,
  limits: DocumentLimits = defaultLimits,
): Value<D> {
  const place = `/${description.name}`;
  const text = bodyText(body, limits, place);
  scanJson(text, limits, place);
  const path: Path = { above: undefined, step: description.name };
  const source: unknown = JSON.parse(text);
  // A bare text is a short form of inner structures only.
  if (typeof source !== 'object') refuse('type', path, `Expected an object: found ${nameOf(source)}`);
  return readStructure(planOf(description), source, path, false) as Value<D>;
}

function refuse(kind: DocumentErrorKind, path: Path, explanation: string, found?: string): never {
  const steps: string[] = [];
  for (let each: Path | undefined = path; each; each = each.above) steps.unshift(each.step);
  throw new DocumentError({ kind, place: `/${steps.join('/')}`, explanation, found });
}

function nameOf(source: unknown): string {
  if (source === null) return 'null';
  if (Array.isArray(source)) return 'an array';
  return typeof source === 'object' ? 'an object' : `a ${typeof source}`;
}

function readStructure(plan: Plan, source: unknown, path: Path, strict: boolean): Target {
  const target: Target = {};
  const unknown: string[] = [];
  if (typeof source === 'object' && source !== null && !Array.isArray(source)) {
    // Own keys only, looked up in a Map: "__proto__" is just a name that nobody knows.
    for (const key of Object.keys(source)) {
      const slot = plan.byJsonName.get(key);
      const value = (source as Target)[key];
      if (slot !== undefined) readField(slot, value, target, path, strict);
      else if (value !== null && unknown.length < remembered) unknown.push(key);
    }
  } else if (plan.content !== undefined && isScalar(source)) {
    readField(plan.content, source, target, path, strict);
  } else if (source !== '') {
    // An empty element is often sent as an empty string.
    refuse('type', path, `Expected an object: found ${nameOf(source)}`);
  }
  const complaint = complaintAbout(plan, target, unknown, strict);
  if (complaint !== undefined) {
    const where = complaint.key === undefined ? path : { above: path, step: complaint.key };
    refuse('structure', where, complaint.explanation, complaint.found);
  }
  return target;
}

const isScalar = (source: unknown) => typeof source !== 'object' && source !== undefined;

function readField(slot: Slot, source: unknown, target: Target, path: Path, above: boolean): void {
  if (source === null || source === undefined) return;
  if (target[slot.key] !== undefined) {
    refuse('structure', { above: path, step: slot.key }, doubled(slot.key), slot.key);
  }
  const strict = above || slot.strict;
  if (!slot.repeated) {
    const value = readOne(slot, source, { above: path, step: slot.key }, strict);
    if (value !== undefined) target[slot.key] = value;
    return;
  }
  const sources = Array.isArray(source) ? source : [source];
  const values: unknown[] = [];
  for (const each of sources) {
    if (each === null) continue;
    values.push(readOne(slot, each, { above: path, step: `${slot.key}[${values.length + 1}]` }, strict));
  }
  target[slot.key] = values;
}

function readOne(slot: Slot, source: unknown, path: Path, strict: boolean): unknown {
  if (slot.child !== undefined) return readStructure(slot.child, source, path, strict);
  if (slot.form === undefined) return readMarker(source, path, strict);
  const type = typeof source;
  if (type !== 'string' && !slot.form.alsoJson.includes(type)) {
    refuse('type', path, `Expected ${slot.form.expected(slot.scalar!)}: found ${nameOf(source)}`);
  }
  const text = String(source);
  if (slot.blank && text.trim() === '') return undefined;
  const value = slot.form.parse(text, slot.scalar!);
  if (value === undefined) {
    const { explanation, found } = wrongType(slot, text);
    refuse('type', path, explanation, found);
  }
  return value;
}

/** Present as "", true or {}; absent as false. Undefined stands for absent. */
function readMarker(source: unknown, path: Path, strict: boolean): true | undefined {
  if (Array.isArray(source)) refuse('type', path, 'Expected an empty element: found an array');
  if (strict && isRecord(source)) {
    const inside = Object.keys(source).find((key) => source[key] !== null);
    if (inside !== undefined) refuse('structure', path, notEmpty(inside).explanation, inside);
  }
  const word = typeof source === 'string' ? source.trim().toLowerCase() : source;
  return word === false || word === 'false' ? undefined : true;
}

import {
  type Complaint,
  complaintAbout,
  doubled,
  notEmpty,
  remembered,
  type TellUnknown,
  type UnknownNames,
  unknownNames,
  wrongType,
} from './check.ts';
import type { Description, Value } from './describe.ts';
import { cutText, DocumentError, type DocumentErrorKind } from './error.ts';
import { type DocumentLimits, defaultLimits, maxOf, tooMany } from './limits.ts';
import { type Plan, planOf, type Slot, type Target } from './plan.ts';
import { wholeDigits } from './scalars.ts';
import { JsonCursor, type JsonKind, type Path, pathText } from './scan-json.ts';
import { bodyText } from './text.ts';

export function readJson<D extends Description>(
  description: D,
  body: Uint8Array | string,
  limits: DocumentLimits = defaultLimits,
  tell?: TellUnknown,
): Value<D> {
  const path: Path = { above: undefined, step: description.name };
  const text = bodyText(body, limits, pathText(path));
  const cursor = new JsonCursor(text, limits, path);
  const kind = cursor.next();
  // A bare text is a short form of inner structures only. What follows is looked at first: it may be no JSON at all.
  if (kind !== 'object') {
    cursor.skip(path);
    cursor.end();
    refuse('type', path, `Expected an object: found ${nameOf[kind]}`);
  }
  const value = readStructure(
    { cursor, limits, unknown: unknownNames(description, tell) },
    planOf(description),
    path,
    false,
  );
  cursor.end();
  return value as Value<D>;
}

interface Source {
  readonly cursor: JsonCursor;
  readonly limits: DocumentLimits;
  readonly unknown: UnknownNames;
}

function refuse(kind: DocumentErrorKind, path: Path, explanation: string, actual?: string): never {
  throw new DocumentError({ kind, place: pathText(path), explanation, found: actual });
}

const nameOf: Readonly<Record<JsonKind, string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  null: 'null',
};

function readStructure(source: Source, plan: Plan, path: Path, strict: boolean): Target {
  const { cursor } = source;
  const target: Target = {};
  const unknown: string[] = [];
  let near: Complaint | undefined;
  const meet = (name: string) => {
    const complaint = strict ? undefined : source.unknown(name, plan);
    near ??= complaint;
    if (unknown.length < remembered) unknown.push(name);
  };
  const kind = cursor.next();
  if (kind === 'object') {
    cursor.object(path, (name) => {
      // Looked up in a Map: "__proto__" is just a name that no description has.
      const slot = plan.byJsonName.get(name);
      if (slot !== undefined) return readField(source, slot, target, path, strict);
      if (cursor.next() !== 'null') meet(name);
      cursor.skip({ above: path, step: cutText(name) });
    });
  } else if (plan.content !== undefined && kind !== 'array') {
    readField(source, plan.content, target, path, strict);
  } else if (plan.named !== undefined && kind === 'string') {
    readField(source, plan.named, target, path, strict);
  } else if (kind !== 'string' || cursor.string() !== '') {
    // An empty element is often sent as an empty string.
    refuse('type', path, `Expected an object: found ${nameOf[kind]}`);
  }
  const complaint = complaintAbout(plan, target, unknown, strict) ?? near;
  if (complaint !== undefined) {
    const where = complaint.key === undefined ? path : { above: path, step: complaint.key };
    refuse('structure', where, complaint.explanation, complaint.found);
  }
  return target;
}

function readField(source: Source, slot: Slot, target: Target, path: Path, above: boolean): void {
  const { cursor, limits } = source;
  const kind = cursor.next();
  if (kind === 'null') {
    cursor.word();
    return;
  }
  if (target[slot.key] !== undefined) {
    refuse('structure', { above: path, step: slot.key }, doubled(slot.key), slot.key);
  }
  const strict = above || slot.strict;
  if (!slot.repeated) {
    const value = readOne(source, slot, { above: path, step: slot.key }, strict);
    if (value !== undefined) target[slot.key] = value;
    return;
  }
  const values: unknown[] = [];
  target[slot.key] = values;
  const max = maxOf(slot, limits);
  const add = () => {
    const each = { above: path, step: `${slot.key}[${values.length + 1}]` };
    // A null says that nothing is there, and is counted as what no description knows.
    if (cursor.next() === 'null') return cursor.skip(each);
    if (values.length >= max) throw new DocumentError({ ...tooMany(slot.key, max), place: pathText(each) });
    values.push(readOne(source, slot, each, strict));
  };
  if (kind === 'array') cursor.array(add);
  else add();
}

function readOne(source: Source, slot: Slot, path: Path, strict: boolean): unknown {
  if (slot.child !== undefined) return readStructure(source, slot.child, path, strict);
  if (slot.form === undefined) return readMarker(source, path, strict);
  const text = readText(source.cursor, slot, path);
  if (slot.blank && text.trim() === '') return undefined;
  const value = slot.form.parse(text, slot.scalar!);
  if (value === undefined) {
    const { explanation, found } = wrongType(slot, text);
    refuse('type', path, explanation, found);
  }
  return value;
}

/** A number is its digits as they stand where a text is described, else the whole number that they are. */
function readText(cursor: JsonCursor, slot: Slot, path: Path): string {
  const kind = cursor.next();
  if (kind === 'string') return cursor.string(path);
  if (!slot.form!.alsoJson.includes(kind)) {
    refuse('type', path, `Expected ${slot.form!.expected(slot.scalar!)}: found ${nameOf[kind]}`);
  }
  if (kind === 'boolean') return cursor.word();
  const digits = cursor.number();
  return slot.scalar!.name === 'string' ? digits : wholeDigits(digits);
}

/** Present as "", true or {}; absent as false. Undefined stands for absent. */
function readMarker({ cursor }: Source, path: Path, strict: boolean): true | undefined {
  const kind = cursor.next();
  if (kind === 'array') refuse('type', path, 'Expected an empty element: found an array');
  if (kind === 'object') {
    cursor.object(path, (name) => {
      if (strict && cursor.next() !== 'null') refuse('structure', path, notEmpty(name).explanation, name);
      cursor.skip({ above: path, step: cutText(name) });
    });
    return true;
  }
  if (kind === 'number') cursor.number();
  else return (kind === 'string' ? cursor.string() : cursor.word()).trim().toLowerCase() === 'false' ? undefined : true;
  return true;
}

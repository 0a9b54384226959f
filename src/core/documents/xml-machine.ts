import { SaxesParser, type SaxesTagNS } from 'saxes';
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
import { DocumentError, type DocumentErrorKind, quoted } from './error.ts';
import { type DocumentLimits, defaultLimits, maxOf, tooMany, tooMuch } from './limits.ts';
import { type Plan, planOf, type Slot, type Target } from './plan.ts';

/** An element that is being read: one per level of described structures. */
interface Frame {
  readonly plan: Plan;
  readonly target: Target;
  /** Name and index of the frame (0: not repeated), the last step of its path. */
  readonly name: string;
  readonly index: number;
  /** Whether unknown names are refused. */
  readonly strict: boolean;
  /** Text of a structure that a text can stand for. */
  text: string;
  /** Unknown names, for the hint of an error. */
  unknown: readonly string[];
  /** First unknown name that is nearly a known one, if such names are refused. */
  near: Complaint | undefined;
}

/** saxes keeps an unfinished text to itself; looking after each piece keeps that within the limit. */
const pieceLength = 65_536;
const none: readonly string[] = [];

const stepOf = (name: string, index: number): string => (index === 0 ? name : `${name}[${index}]`);

/** Incremental parser: text in pieces becomes a value. */
export interface XmlMachine<V> {
  feed(text: string): void;
  /** The value. Ends the machine, which is reused for another document. */
  end(): V;
}

interface Reusable extends XmlMachine<Target> {
  begin(description: Description, limits: DocumentLimits, tell: TellUnknown | undefined): void;
}

/** Machines without a document. To make a parser takes as long as to read a short document. */
const idle: Reusable[] = [];
const maxIdle = 32;
/** Longer documents get a parser of their own: one that is old takes each new text a twelfth slower. Measured at 11 KB. */
const short = 2_048;

const forgets: UnknownNames = () => undefined;

/** For a document of about that length. One that met an error is never used again: its parser is in no defined state. */
export function xmlMachine<D extends Description>(
  description: D,
  length: number,
  limits: DocumentLimits,
  tell?: TellUnknown,
): XmlMachine<Value<D>> {
  const machine = (length > short ? undefined : idle.pop()) ?? makeMachine();
  machine.begin(description, limits, tell);
  return machine as XmlMachine<unknown> as XmlMachine<Value<D>>;
}

function makeMachine(): Reusable {
  // Version 1.1 would let control characters in.
  const parser = new SaxesParser({ xmlns: true, forceXMLVersion: true, defaultXMLVersion: '1.0' } as const);
  const frames: Frame[] = [];
  let rootName = '';
  let limits = defaultLimits;
  let meet: UnknownNames;
  let frame: Frame;
  let plan: Plan;
  let target: Target = {};
  /** The scalar or marker whose text is being read. */
  let leaf: Slot | undefined;
  let leafLine = 1;
  let leafColumn = 1;
  let text = '';
  /** Text of a structure that has text content; it holds no other structures, so one is enough. */
  let content = '';
  let depth = 0;
  /** Depth below an unknown element. */
  let skipped = 0;
  let elements = 0;
  let unknown = 0;
  let attributes = 0;

  function refuse(kind: DocumentErrorKind, complaint: Complaint, step = complaint.key ?? nextStep(leaf)): never {
    const steps = frames.map(({ name, index }) => stepOf(name, index));
    if (step !== undefined) steps.push(step);
    if (steps.length === 0) steps.push(rootName);
    // A wrong text is at its beginning, everything else where the parser is.
    const [line, column] = leaf && kind === 'type' ? [leafLine, leafColumn] : [parser.line, Math.max(1, parser.column)];
    throw new DocumentError({ ...complaint, kind, place: `/${steps.join('/')}`, line, column });
  }

  const refuseLimit = (what: keyof DocumentLimits): never => refuse('limit', tooMuch(what, limits));

  function countOf(slot: Slot): number {
    return slot.repeated ? ((target[slot.key] as readonly unknown[] | undefined)?.length ?? 0) : 0;
  }

  function nextStep(slot: Slot | undefined): string | undefined {
    return slot && stepOf(slot.key, slot.repeated ? countOf(slot) + 1 : 0);
  }

  function store(slot: Slot, value: unknown): void {
    if (!slot.repeated) target[slot.key] = value;
    else if (target[slot.key] === undefined) target[slot.key] = [value];
    else (target[slot.key] as unknown[]).push(value);
  }

  function storeText(slot: Slot, value: string): void {
    if (slot.blank && value.trim() === '') return;
    // Readers of marker elements look for their presence only; "false" is the one way to say no.
    const parsed = slot.form ? slot.form.parse(value, slot.scalar!) : value.trim().toLowerCase() !== 'false' || null;
    if (parsed === undefined) refuse('type', wrongType(slot, value), nextStep(slot));
    if (parsed !== null) store(slot, parsed);
  }

  function refuseDoubled(slot: Slot): void {
    if (!slot.repeated && target[slot.key] !== undefined) {
      refuse('structure', { key: slot.key, explanation: doubled(slot.key), found: slot.key });
    }
  }

  function readAttributes(tag: SaxesTagNS): void {
    for (const name in tag.attributes) {
      const { local, value } = tag.attributes[name]!;
      if (!isOurs(tag, name)) continue;
      const slot = plan.byXmlName.get(local);
      if (slot === undefined || slot.child !== undefined) {
        remember(local);
        continue;
      }
      refuseDoubled(slot);
      storeText(slot, value);
    }
  }

  /** An attribute of another namespace (xsi:type, xml:lang) is none of ours even if it is called like one. */
  function isOurs(tag: SaxesTagNS, name: string): boolean {
    const { prefix, uri } = tag.attributes[name]!;
    return prefix === '' ? name !== 'xmlns' : uri === tag.uri;
  }

  function remember(name: string): void {
    const complaint = frame.strict ? undefined : meet(name, plan);
    frame.near ??= complaint;
    if (frame.unknown.length < remembered) frame.unknown = [...frame.unknown, name];
  }

  function enter(next: Plan, name: string, index: number, strict: boolean, tag: SaxesTagNS): void {
    frame = { plan: next, target, name, index, strict, text: '', unknown: none, near: undefined };
    frames.push(frame);
    plan = next;
    content = '';
    if (attributes !== 0) readAttributes(tag);
  }

  function openRoot(tag: SaxesTagNS): void {
    // Bytes are decoded as UTF-8 whatever a declaration says, so one that says otherwise is a contradiction.
    const { encoding } = parser.xmlDecl;
    if (encoding !== undefined && !/^(utf-?8|us-ascii)$/i.test(encoding)) {
      refuse('syntax', { explanation: `Expected the encoding "UTF-8": found ${quoted(encoding)}`, found: encoding });
    }
    // Clients name the root in many ways. What is in it tells whether it is the document that is expected.
    enter(plan, rootName, 0, false, tag);
  }

  // Not one handler more: with a seventh, V8 keeps the parser as a dictionary, which is several times slower.
  parser.on('attribute', ({ value }) => {
    if (++attributes > limits.attributes) refuseLimit('attributes');
    if (value.length > limits.text) refuseLimit('text');
  });

  parser.on('opentag', (tag) => {
    if (++elements > limits.elements) refuseLimit('elements');
    if (++depth > limits.depth) refuseLimit('depth');
    if (skipped !== 0 || leaf !== undefined) {
      if (frame.strict && leaf !== undefined) refuse('structure', notEmpty(tag.local));
      attributes = 0;
      skipped++;
      countUnknown();
      return;
    }
    if (depth === 1) openRoot(tag);
    else openElement(tag);
    attributes = 0;
  });

  function openElement(tag: SaxesTagNS): void {
    const slot = plan.byXmlName.get(tag.local);
    if (slot === undefined) {
      skipped = 1;
      countUnknown();
      remember(tag.local);
      return;
    }
    refuseDoubled(slot);
    if (slot.repeated) refuseTooMany(slot);
    if (slot.child === undefined) {
      leaf = slot;
      leafLine = parser.line;
      leafColumn = parser.column + 1;
      text = '';
      if (attributes !== 0 && frame.strict) refuseAttributes(tag);
      return;
    }
    const inner: Target = {};
    store(slot, inner);
    const index = countOf(slot);
    target = inner;
    enter(slot.child, slot.key, index, frame.strict || slot.strict, tag);
  }

  function countUnknown(): void {
    if (++unknown > limits.unknown) refuseLimit('unknown');
  }

  function refuseTooMany(slot: Slot): void {
    const max = maxOf(slot, limits);
    if (countOf(slot) >= max) refuse('limit', tooMany(slot.key, max), nextStep(slot));
  }

  function refuseAttributes(tag: SaxesTagNS): void {
    const name = Object.keys(tag.attributes).find((each) => isOurs(tag, each));
    if (name !== undefined) refuse('structure', notEmpty(name));
  }

  function addText(more: string): void {
    if (more.length > limits.text) refuseLimit('text');
    if (skipped !== 0) return;
    if (leaf !== undefined) {
      text = text === '' ? more : text + more;
      if (text.length > limits.text) refuseLimit('text');
    } else if (plan.content !== undefined) {
      content += more;
      if (content.length > limits.text) refuseLimit('text');
    } else if (plan.named !== undefined) {
      frame.text += more;
      if (frame.text.length > limits.text) refuseLimit('text');
    } else if (frame.strict && more.trim() !== '') {
      refuse('structure', { explanation: 'Expected elements: found a text', found: more.trim() });
    }
  }
  parser.on('text', addText);
  parser.on('cdata', addText);

  parser.on('closetag', () => {
    depth--;
    if (skipped !== 0) {
      skipped--;
      return;
    }
    if (leaf !== undefined) {
      storeText(leaf, text);
      leaf = undefined;
      return;
    }
    if (plan.content !== undefined) storeText(plan.content, content);
    else if (plan.named !== undefined && target[plan.named.key] === undefined && frame.text.trim() !== '') {
      storeText(plan.named, frame.text.trim());
    }
    const complaint = complaintAbout(plan, target, frame.unknown, frame.strict) ?? frame.near;
    if (complaint !== undefined) refuse('structure', complaint);
    frames.pop();
    if (frames.length === 0) return;
    frame = frames[frames.length - 1]!;
    plan = frame.plan;
    target = frame.target;
  });

  parser.on('doctype', () =>
    refuse('syntax', { explanation: 'Expected no document type declaration: found "<!DOCTYPE"' }),
  );

  /** Converts plain errors of saxes, which begin with the position. */
  function parse(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof DocumentError || !(error instanceof Error)) throw error;
      const reason = error.message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
      refuse('syntax', { explanation: `Expected well-formed XML: ${reason.slice(0, 200)}` });
    }
  }

  /** Nothing of the document stays behind. */
  function rest(): void {
    target = {};
    frame = { plan, target, name: rootName, index: 0, strict: false, text: '', unknown: none, near: undefined };
    text = '';
    content = '';
    elements = 0;
    unknown = 0;
    meet = forgets;
  }

  return {
    begin(description, documentLimits, tell) {
      rootName = description.name;
      limits = documentLimits;
      plan = planOf(description);
      rest();
      meet = unknownNames(description, tell);
    },
    feed(piece) {
      for (let start = 0; start < piece.length; start += pieceLength) {
        const part = piece.length <= pieceLength ? piece : piece.slice(start, start + pieceLength);
        parse(() => parser.write(part));
        // A private field: of everything saxes offers, only this tells how long an unfinished text already is.
        if ((parser as unknown as { text: string }).text.length > limits.text) refuseLimit('text');
      }
    },
    end() {
      parse(() => parser.close());
      const value = target;
      rest();
      if (idle.length < maxIdle) idle.push(this);
      return value;
    },
  };
}

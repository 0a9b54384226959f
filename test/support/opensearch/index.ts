import { illegal, type Json, onlyThese, Refused } from './refusals.ts';

export interface FieldMapping {
  readonly type: 'keyword' | 'long' | 'double' | 'boolean' | 'text';
  readonly index?: boolean;
  readonly doc_values?: boolean;
  readonly analyzer?: string;
  readonly position_increment_gap?: number;
}

export type FieldValue = string | number | bigint | boolean;

export interface Stored {
  readonly id: string;
  readonly version: number;
  readonly values: ReadonlyMap<string, readonly FieldValue[]>;
  /** Tokens of texts by position. */
  readonly tokens: ReadonlyMap<string, ReadonlyMap<number, string>>;
}

const parameters = ['type', 'index', 'doc_values', 'analyzer', 'position_increment_gap'];
const types = ['keyword', 'long', 'double', 'boolean', 'text'];
/** Bytes of a keyword. */
const maxKeywordLength = 32_766;

/** Index with what has been written, and what searches see of it since the last refresh. */
export class FakeIndex {
  readonly aliases = new Set<string>();
  readonly fields = new Map<string, FieldMapping>();
  readonly live = new Map<string, Stored>();
  visible: ReadonlyMap<string, Stored> = new Map();
  isReadOnly = false;
  readonly #body: Json;
  readonly #tombstones = new Map<string, number>();
  readonly #maxFields: number;
  readonly #analyzers: ReadonlySet<string>;

  constructor(body: Json) {
    this.#body = body;
    onlyThese(body, 'create', ['settings', 'mappings', 'aliases']);
    const { settings = {}, mappings = {}, aliases = {} } = body;
    onlyThese(mappings, 'mapping', ['dynamic', '_source', 'properties']);
    if (mappings.dynamic !== false) throw illegal('this stand-in has explicit mappings only');
    this.#maxFields = settings.index?.mapping?.total_fields?.limit ?? 1_000;
    this.#analyzers = new Set(Object.keys(settings.analysis?.analyzer ?? {}));
    for (const alias of Object.keys(aliases)) this.aliases.add(alias);
    this.map(mappings.properties ?? {});
  }

  map(properties: Json): void {
    for (const [name, mapping] of Object.entries<Json>(properties)) {
      onlyThese(mapping, name, parameters);
      if (!types.includes(mapping.type)) throw new Refused(400, 'mapper_parsing_exception', `No handler for ${name}`);
      if (mapping.analyzer !== undefined && !this.#analyzers.has(mapping.analyzer))
        throw new Refused(400, 'mapper_parsing_exception', `analyzer [${mapping.analyzer}] has not been configured`);
      const earlier = this.fields.get(name);
      if (earlier && JSON.stringify(earlier) !== JSON.stringify(mapping))
        throw illegal(`mapper [${name}] cannot be changed`);
      this.fields.set(name, mapping);
    }
    if (this.fields.size > this.#maxFields)
      throw illegal(`Limit of total fields [${this.#maxFields}] has been exceeded`);
  }

  /** Content of the disk of the engine, also after its process. */
  copy(): FakeIndex {
    const copy = new FakeIndex(this.#body);
    for (const alias of copy.aliases) copy.aliases.delete(alias);
    for (const alias of this.aliases) copy.aliases.add(alias);
    for (const [name, mapping] of this.fields) copy.fields.set(name, mapping);
    for (const [id, stored] of this.live) copy.live.set(id, stored);
    copy.isReadOnly = this.isReadOnly;
    copy.refresh();
    return copy;
  }

  refresh(): void {
    this.visible = new Map(this.live);
  }

  #check(id: string, version: number): void {
    if (this.isReadOnly) throw new Refused(429, 'cluster_block_exception', 'index has read-only-allow-delete block');
    const current = this.live.get(id)?.version ?? this.#tombstones.get(id) ?? -1;
    if (version < current) throw new Refused(409, 'version_conflict_engine_exception', `current version [${current}]`);
  }

  put(id: string, version: number, source: Json): 200 | 201 {
    this.#check(id, version);
    const status = this.live.has(id) ? 200 : 201;
    this.live.set(id, this.#read(id, version, source));
    this.#tombstones.delete(id);
    return status;
  }

  delete(id: string, version: number): 200 | 404 {
    this.#check(id, version);
    this.#tombstones.set(id, version);
    return this.live.delete(id) ? 200 : 404;
  }

  #read(id: string, version: number, source: Json): Stored {
    const values = new Map<string, readonly FieldValue[]>();
    const tokens = new Map<string, ReadonlyMap<number, string>>();
    for (const [name, given] of Object.entries<Json>(source)) {
      const mapping = this.fields.get(name);
      if (!mapping || given === null) continue;
      const list = (Array.isArray(given) ? given : [given]).map((value) => readValue(name, mapping, value));
      if (list.length === 0) continue;
      values.set(name, list);
      if (mapping.type === 'text') tokens.set(name, tokensOf(list as string[], mapping.position_increment_gap ?? 100));
    }
    return { id, version, values, tokens };
  }
}

function tokensOf(texts: readonly string[], gap: number): ReadonlyMap<number, string> {
  const tokens = new Map<number, string>();
  let position = -1;
  for (const [index, text] of texts.entries()) {
    if (index > 0) position += gap;
    for (const token of text.split(/\s+/)) if (token !== '') tokens.set(++position, token);
  }
  return tokens;
}

export const leastLong = -(2n ** 63n);
export const maxLong = 2n ** 63n - 1n;

/** A whole number of 64 bits. Undefined: it is none. */
export function longOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value >= leastLong && value <= maxLong ? value : undefined;
  const text = typeof value === 'number' && Number.isInteger(value) ? BigInt(value).toString() : String(value);
  if (!/^-?\d{1,19}$/.test(text)) return undefined;
  const whole = BigInt(text);
  return whole >= leastLong && whole <= maxLong ? whole : undefined;
}

function readValue(name: string, { type, index }: FieldMapping, value: unknown): FieldValue {
  const wrong = () => new Refused(400, 'mapper_parsing_exception', `failed to parse field [${name}] of type [${type}]`);
  if (type === 'long') {
    const whole = longOf(value);
    if (whole === undefined) throw wrong();
    return whole;
  }
  if (type === 'double') {
    const number = Number(value);
    if (value === '' || !Number.isFinite(number)) throw wrong();
    return number;
  }
  if (type === 'boolean') {
    if (typeof value !== 'boolean') throw wrong();
    return value;
  }
  if (typeof value !== 'string' && typeof value !== 'number') throw wrong();
  const text = String(value);
  if (type === 'keyword' && index !== false && new TextEncoder().encode(text).byteLength > maxKeywordLength)
    throw illegal(`Document contains at least one immense term in field="${name}"`);
  return text;
}

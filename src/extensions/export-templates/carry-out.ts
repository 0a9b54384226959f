import { type Json, lastValue, runScript, ScriptFails } from '../../core/scripts/run-script.ts';
import { templateCheck, templateDriver } from './driver.ts';
import { type Outline, scriptsOf } from './outline.ts';

/** Characters of one path or one text. */
const maxTextLength = 256 * 1024;

/** A file of an item, as scripts may know it. */
export interface ExportedFacts {
  readonly id: string;
  readonly name: string;
  readonly size: number | null;
  readonly hash: string | null;
  readonly storage: string;
  readonly component: string;
  readonly kind: string;
}

export interface ItemFacts {
  readonly id: string;
  readonly metadata: readonly (readonly [field: string, values: readonly string[]])[];
  readonly shapes: readonly {
    readonly id: string;
    readonly tags: readonly string[];
    readonly mimeTypes: readonly string[];
    readonly version: number;
    /** Places in the list of files. */
    readonly files: readonly number[];
  }[];
  readonly files: readonly ExportedFacts[];
}

/** A file that the export makes, as elements outside of items know it. */
export interface TemplateFile {
  readonly item: string;
  readonly path: string;
  readonly size: number | null;
  readonly hash: string | null;
  readonly tags: readonly string[];
}

/** Element around a file that packs it. */
export interface Pack {
  readonly kind: 'archive' | 'compress';
  /** Path of the archive. */
  readonly path: string;
  readonly at: string;
  /** Whether it is one of each item. */
  readonly ofItem: boolean;
}

export interface CarriedOut {
  /** By the place of the file among those of the item. */
  readonly files: readonly {
    readonly index: number;
    readonly path: string;
    readonly at: string;
    readonly tags: readonly string[];
    readonly pack: Pack | undefined;
  }[];
  readonly texts: readonly {
    readonly path: string;
    readonly text: string;
    readonly at: string;
    /** The place of the stylesheet that makes the text. */
    readonly stylesheet: number | undefined;
    readonly pack: Pack | undefined;
  }[];
  /** Elements that found no shape. */
  readonly missing: readonly { readonly at: string; readonly tag: string; readonly generate: boolean }[];
}

/** Carries out a template for one item, or for what is outside of all items. Throws `ScriptFails`. */
export async function carryOut(
  { root }: Outline,
  item: ItemFacts | undefined,
  known: readonly TemplateFile[],
  jobMetadata: Readonly<Record<string, string>>,
  max: number,
): Promise<CarriedOut> {
  const input = JSON.stringify({ root, item: item ?? null, known, max, longest: maxTextLength });
  const { [lastValue]: answer } = await runScript(templateDriver, { given: input, jobMetadata }, [lastValue]);
  return carriedOut(answer, item?.files.length ?? 0);
}

/** Throws `ScriptFails` where a script of the template cannot be read. */
export async function checkScripts({ nodes }: Outline): Promise<void> {
  const input = JSON.stringify(nodes.flatMap(scriptsOf));
  await runScript(templateCheck, { given: input }, []);
}

/** Scripts share the sandbox with what carries them out, so nothing of the answer is taken for granted. */
function carriedOut(answer: Json | undefined, files: number): CarriedOut {
  const lists = (key: string): readonly (readonly unknown[])[] => {
    const entries = (answer as Record<string, unknown> | undefined)?.[key];
    if (Array.isArray(entries) && entries.every(Array.isArray)) return entries;
    throw broken();
  };
  return {
    files: lists('files').map(([index, path, at, tags, pack]) => {
      const isThere = Number.isInteger(index) && (index as number) >= 0 && (index as number) < files;
      if (!isThere || !Array.isArray(tags) || !tags.every(isText)) throw broken();
      return { index: index as number, path: textOf(path), at: textOf(at), tags, pack: packIn(pack) };
    }),
    texts: lists('texts').map(([path, text, at, stylesheet, pack]) => ({
      path: textOf(path),
      text: textOf(text),
      at: textOf(at),
      stylesheet: typeof stylesheet === 'number' ? stylesheet : undefined,
      pack: packIn(pack),
    })),
    missing: lists('missing').map(([at, tag, generate]) => ({
      at: textOf(at),
      tag: textOf(tag),
      generate: generate === true,
    })),
  };
}

function packIn(value: unknown): Pack | undefined {
  if (value === null) return undefined;
  const [kind, path, at, ofItem] = Array.isArray(value) ? value : [];
  if (kind !== 'archive' && kind !== 'compress') throw broken();
  return { kind, path: textOf(path), at: textOf(at), ofItem: ofItem === true };
}

const isText = (value: unknown): value is string => typeof value === 'string';

function textOf(value: unknown): string {
  if (isText(value)) return value;
  throw broken();
}

const broken = (): ScriptFails => new ScriptFails('Expected scripts that leave the tools of the sandbox as they are');

import { askerOf } from '../../assets/definitions/public-reading.ts';
import { metadataOf, projections, storedView, terseOf } from '../../assets/metadata/public.ts';
import { type MetadataDocumentValue, metadataListDocument } from '../../assets/metadata/public-reading.ts';
import { mimeTypesOf } from '../../assets/shapes/public.ts';
import { safeName } from '../../core/lib/file-name.ts';
import { groupBy } from '../../core/lib/group-by.ts';
import { ScriptFails } from '../../core/scripts/run-script.ts';
import {
  type ExportedFile,
  type ExportFile,
  type ExportMemo,
  type ExportParts,
  type FilesByTemplate,
  jobOf,
  pathOf,
  projectionFails,
} from '../../production/exporting/public.ts';
import { JobFails, type LeasedJob } from '../../room/jobs/job-type.ts';
import type { Caller } from '../../security/caller.ts';
import {
  type CarriedOut,
  carryOut,
  type ExportedFacts,
  type ItemFacts,
  type Pack,
  type TemplateFile,
} from './carry-out.ts';
import { BadTemplate, type Outline, templateFrom } from './outline.ts';
import { findTemplate } from './store.ts';

/** Characters of all texts of one export. */
const maxText = 16 * 1024 * 1024;
/** Files that elements outside of items are told of. */
const maxTold = 5_000;

/** Template with the job that carries it out. */
interface TemplateRun {
  readonly name: string;
  readonly outline: Outline;
  /** Whether missing shapes are skipped. */
  readonly lenient: boolean;
  readonly data: LeasedJob['data'];
  /** The job, for stylesheets. */
  job(): ReturnType<typeof jobOf>;
}

/** Files that the template of a job defines for the items. Throws JobFails. */
export async function filesByTemplate(
  parts: ExportParts,
  job: LeasedJob,
  call: Caller,
  { template: name = '', lenient }: ExportMemo,
): Promise<FilesByTemplate> {
  const outline = await outlineNow(parts, name);
  return filesOfTemplate(parts, call, { name, outline, lenient, data: job.data, job: () => jobOf(parts, job) });
}

/** Files that a template defines for the items. The result throws JobFails. */
export function filesOfTemplate(
  parts: ExportParts,
  call: Caller,
  { name, outline, lenient, data, job }: TemplateRun,
): FilesByTemplate {
  const { store, settings } = parts;
  const jobMetadata = Object.fromEntries(data);
  const tellsOfFiles = outline.nodes.some(({ kind, at }) => kind === 'text' && !at.split('/').includes('item'));
  const templateFiles: TemplateFile[] = [];
  const archives = new Set<string>();
  let textLength = 0;

  async function outcome(item: ItemFacts | undefined): Promise<CarriedOut> {
    try {
      return await carryOut(outline, item, item ? [] : templateFiles, jobMetadata, settings.maxExportFiles);
    } catch (error) {
      if (!(error instanceof ScriptFails)) throw error;
      const where = item ? ` for ${item.id}` : '';
      throw new JobFails(`The export template "${name}" failed${where}: ${error.message}`);
    }
  }

  const placed = (path: string, at: string): string => {
    const safe = pathOf(path);
    if (safe !== undefined) return safe;
    const actual = JSON.stringify(path.slice(0, 80));
    throw new JobFails(`Expected ${at} of the export template "${name}" to name a file below the folder: ${actual}`);
  };

  /** A file as elements around it pack it. The first one in an archive brings the archive. */
  function packed(
    [item, shape, file, path, content = null]: ExportedFile,
    pack: Pack | undefined,
  ): readonly ExportedFile[] {
    if (!pack) return [[item, shape, file, path, content]];
    if (pack.kind === 'compress') return [[item, shape, file, path, content, 'gz']];
    const owner = pack.ofItem ? item : '';
    const archive = placed(pack.path, `${pack.at}/path`);
    const key = `${owner} ${archive}`;
    const inside: ExportedFile = [item, shape, file, path, content, `in:${key}`];
    if (archives.has(key)) return [inside];
    archives.add(key);
    return [[owner, '', '', archive, null, `of:${key}`], inside];
  }

  function written({ texts }: CarriedOut, itemId: string): readonly ExportedFile[] {
    return texts.flatMap(({ path, text, at, pack }) => {
      textLength += text.length;
      if (textLength > maxText) {
        throw new JobFails(`Expected texts of at most ${maxText} characters of the export template "${name}"`);
      }
      if (text.includes('\0')) {
        throw new JobFails(`Expected a text without a NUL character of ${at} of the export template "${name}"`);
      }
      return packed([itemId, '', '', placed(path, at), text], pack);
    });
  }

  /** Texts with what stylesheets make of the metadata in their places. */
  async function styled(texts: CarriedOut['texts'], id: string, metadata: MetadataDocumentValue) {
    const styledTexts: CarriedOut['texts'][number][] = [];
    for (const text of texts) {
      const stylesheet = outline.stylesheets[text.stylesheet ?? -1];
      styledTexts.push(stylesheet === undefined ? text : { ...text, text: await throughOne(stylesheet, id, metadata) });
    }
    return styledTexts;
  }

  async function throughOne(stylesheet: string, id: string, metadata: MetadataDocumentValue): Promise<string> {
    const metadataList = { item: [{ metadata, id }] };
    const information = { metadataList, job: await job() };
    const own = { name: `of the export template ${name}`, stylesheet };
    const { outgoing } = parts.hooks.need(projections);
    try {
      return (await outgoing(own, metadataListDocument, metadataList, information)).text;
    } catch (error) {
      throw projectionFails(error, own.name);
    }
  }

  function tell(file: TemplateFile): void {
    if (!tellsOfFiles) return;
    if (templateFiles.length < maxTold) templateFiles.push(file);
    else
      throw new JobFails(
        `Expected at most ${maxTold} files for the texts outside of items of the export template "${name}"`,
      );
  }

  return {
    async ofItem(id, found) {
      const by = { site: settings.site, asker: await askerOf(call) };
      const metadata = (await metadataOf(store, [{ kind: 'item', id }], storedView, by)).get(id) ?? {};
      const fields = [...terseOf(metadata)].map(
        ([field, values]) => [field, values.map(({ value = '' }) => value)] as const,
      );
      const carried = await outcome(factsOf(id, fields, found));
      const [lack] = carried.missing;
      if (lack?.generate) throw new JobFails(noGenerate(name, lack, id));
      if (lack && !lenient)
        throw new JobFails(
          `Expected the item ${id} to have ${shapeOf(lack.tag)}, as ${lack.at} of the export template "${name}" says`,
        );
      const files = carried.files.flatMap(({ index, path, at, tags, pack }) => {
        const { shape, row } = found[index]!;
        const safe = placed(path, at);
        const archive = pack?.kind === 'archive' ? `${pack.path}/` : '';
        tell({ item: id, path: archive + safe, size: row.size, hash: row.hash, tags });
        return packed([id, shape.id, row.id, safe], pack);
      });
      const texts = await styled(carried.texts, id, metadata);
      return { files: [...files, ...written({ ...carried, texts }, id)], missing: lack !== undefined };
    },
    around: async () => (tellsOfFiles ? written(await outcome(undefined), '') : []),
  };
}

async function outlineNow({ store, limits }: ExportParts, name: string): Promise<Outline> {
  const row = await findTemplate(store, { name });
  if (!row) throw new JobFails(`Expected the export template "${name}" to stay until the files are prepared`);
  let outline: Outline;
  try {
    outline = templateFrom(row, limits);
  } catch (error) {
    if (error instanceof BadTemplate)
      throw new JobFails(`Expected ${error.message} at ${error.at} of the export template "${name}"`);
    throw error;
  }
  return ableOutline(outline);
}

/** The outline, unless an element is beyond this service. Throws JobFails. */
export function ableOutline(found: Outline): Outline {
  if (found.unable === undefined) return found;
  throw new JobFails(
    `Expected an export template without the element ${found.unable}: no export of this service carries it out`,
  );
}

const shapeOf = (tag: string): string => (tag === '' ? 'a shape with a file' : `a shape with the tag ${tag}`);

const noGenerate = (name: string, { at, tag }: { readonly at: string; readonly tag: string }, item: string): string =>
  `Expected the item ${item} to have a shape with the tag ${tag}: no export carries out ${at}/generate of the export template "${name}"`;

/** Properties of an item for scripts of templates. */
function factsOf(id: string, metadata: ItemFacts['metadata'], found: readonly ExportFile[]): ItemFacts {
  const files = found.map(
    ({ component, row }): ExportedFacts => ({
      id: row.id,
      name: safeName(row.path) ?? row.id,
      size: row.size,
      hash: row.hash,
      storage: row.storageId,
      component: component.id,
      kind: component.kind,
    }),
  );
  const byShape = groupBy(found.entries(), ([, { shape }]) => shape);
  const shapes = [...byShape].map(([shape, entries]) => ({
    id: shape.id,
    tags: shape.tags,
    mimeTypes: mimeTypesOf(shape),
    version: shape.essenceVersion,
    files: entries.map(([index]) => index),
  }));
  return { id, metadata, shapes, files };
}

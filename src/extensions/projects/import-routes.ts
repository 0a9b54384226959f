import { mustHave } from '../../assets/access/public-reading.ts';
import { collectionName, collectionNamed } from '../../assets/items/contract/entities.ts';
import { creatorOf, prepareItem, type Sequence } from '../../assets/items/public.ts';
import { keepAttachment as keep } from '../../assets/metadata/public.ts';
import { DocumentError } from '../../core/documents/index.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { together } from '../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import { uris } from '../../http/answers.ts';
import type { Call } from '../../http/call.ts';
import { badParameter, flag, text } from '../../http/parameters/index.ts';
import { type BodyOf, optional } from '../../http/reads.ts';
import { bothRoles, type Route, role, route } from '../../http/route.ts';
import {
  callerMayHave,
  type IngestParts,
  type MayHave,
  openImportSource,
  plainAddress,
  shownAddress,
  sourceText,
  storedAt,
} from '../../production/ingest/public.ts';
import { JobFails } from '../../room/jobs/job-type.ts';
import { storageRefusal } from '../../storage/public.ts';
import { keptJson, ownFormat, sequenceDocument, sequenceKind } from '../sequences/public.ts';
import { definitionKind, essenceMappingsDocument, projectFileDocument } from './documents.ts';
import { type ClipMatch, matchAssets } from './match-items.ts';
import { newVersion } from './versions.ts';
import { type Cut, type ImportedProject, readXmeml } from './xmeml.ts';

interface ProjectAt {
  readonly name: string;
  readonly text: string;
  readonly project: ImportedProject;
}

/** Reads the file of an editing program at an address. What is wrong with it is told like a mistake in the request. */
async function readProject(parts: IngestParts, mayHave: MayHave, uri: string): Promise<ProjectAt> {
  try {
    const source = await openImportSource(parts, mayHave, uri);
    const text = await sourceText(source, 'project', parts.settings.maxBodyBytes);
    return { name: source.name, text, project: await readXmeml(text, parts.limits) };
  } catch (error) {
    if (error instanceof JobFails || error instanceof DocumentError)
      throw badParameter('uri', error.message, undefined);
    if (error instanceof ServiceError) throw error;
    throw storageRefusal(error, { storage: (await storedAt(parts.store, plainAddress(uri)))?.storageId ?? '' });
  }
}

/** Name of the format, as in exports of sequences. */
const format = 'fcp';
const where = {
  uri: text('The address of the project', { required: true }),
  type: text(`Format of the project: only ${format}, the XML of Final Cut Pro 7`),
};
type Where = { readonly uri: string; readonly type: string | undefined };
const assignId = flag('Gives each new item the id of its sequence as an external id', false);
const reads = optional(essenceMappingsDocument);

/** Projects of editing programs, which other systems have written. */
export function projectImportRoutes(parts: IngestParts): readonly Route[] {
  const { store, limits, clock } = parts;
  const importing = { method: 'POST', access: role('_import'), acting: 'allowed', reads } as const;

  async function read(
    call: Call<Where, BodyOf<typeof reads>>,
  ): Promise<ProjectAt & { readonly matches: ReadonlyMap<string, ClipMatch> }> {
    const { uri, type = format } = call.query;
    if (type.toLowerCase() !== format) throw badParameter('type', `Expected ${format}`, type);
    const source = await readProject(parts, callerMayHave(parts, call), uri);
    const assets = [...source.project.assets.values()];
    return { ...source, matches: await matchAssets(store, call, assets, call.body ?? {}) };
  }

  /** An item for a sequence, with its title. */
  async function itemOf(
    call: Call<{ assignId: boolean }>,
    cut: Cut,
    sequence: Sequence,
  ): Promise<CommitPlan & { id: string }> {
    const field = [{ name: 'title', value: [{ value: cut.name ?? 'Sequence' }] }];
    const item = await prepareItem(parts, await creatorOf(call), {
      externalIds: call.query.assignId && cut.id !== undefined ? [cut.id] : [],
      metadata: { timespan: [{ start: '-INF', end: '+INF', field }] },
      tags: [],
    });
    const owner = { type: 'item', id: item.id };
    const content = await keptJson(sequenceDocument, sequence, limits);
    return { ...together(item, keep(owner, sequenceKind, ownFormat, content, clock.now(), [])), id: item.id };
  }

  return [
    route({
      ...importing,
      path: '/collection/project/inspect',
      says: 'The files that a project of an editing program uses, with their items. Changes nothing.',
      query: where,
      answers: projectFileDocument,
      async handle(call) {
        const { project, matches } = await read(call);
        return {
          location: shownAddress(call.query.uri),
          type: format,
          asset: [...project.assets.values()].map(({ id, name, type: kind, path }) => {
            const match = matches.get(id);
            return {
              ...{ id, name, type: kind, status: match ? 'FOUND' : 'MISSING' },
              item: match ? [{ id: match.item, shape: match.shape, match: match.by }] : [],
              file: path === undefined ? [] : [{ path }],
            };
          }),
        };
      },
    }),
    route({
      ...importing,
      access: bothRoles('_import', '_collection_write'),
      path: '/import/project',
      says: 'Imports a project of an editing program as a collection, with the items of its files and its sequences.',
      query: { ...where, collectionId: text('The project of the new version') },
      answers: uris,
      async handle(call) {
        const { collectionId } = call.query;
        const target = collectionId === undefined ? undefined : await collectionNamed(store, collectionId);
        if (target) await mustHave(store, call, collectionName, target, 'WRITE', undefined, collectionId);
        const { project, name, text: source, matches } = await read(call);
        const sequence = sequencesOf(project, matches);
        const item = [...new Set([...matches.values()].map((match) => match.item))].map((id) => ({ id }));
        const sourceFile = { mediaType: 'application/xml', content: bytesOf(source) };
        const id = await newVersion(parts, call, {
          ...(target && { project: target }),
          name: project.name ?? name,
          document: { item, sequence: [...sequence] },
          also: (made) => keep({ type: 'collection', id: made }, definitionKind, format, sourceFile, clock.now(), []),
        });
        return [id];
      },
    }),
    route({
      ...importing,
      path: '/import/project/sequence',
      says: 'Imports each sequence in a project of an editing program as an item.',
      query: { ...where, assignId },
      answers: uris,
      async handle(call) {
        const { project, matches } = await read(call);
        const sequences = sequencesOf(project, matches);
        if (sequences.length === 0) throw badParameter('uri', 'Expected a project with a sequence', undefined);
        const items = [];
        for (const [at, cut] of project.sequences.entries()) items.push(await itemOf(call, cut, sequences[at]!));
        await call.commit(together(...items));
        return items.map(({ id }) => id);
      },
    }),
  ];
}

const bytesOf = (source: string) => new TextEncoder().encode(source);

/** In items. A sequence with a hole in it would be another one. */
function sequencesOf(
  { sequences, assets }: ImportedProject,
  matches: ReadonlyMap<string, ClipMatch>,
): readonly Sequence[] {
  const used = new Set(
    sequences.flatMap(({ tracks }) => tracks.flatMap(({ clips }) => clips.map((clip) => clip.asset))),
  );
  const gone = [...used].filter((id) => !matches.has(id));
  if (gone.length > 0) {
    const names = gone.slice(0, 20).map((id) => `${id} (${assets.get(id)!.name.slice(0, 80)})`);
    throw badParameter('uri', `Expected items for all files: map ${names.join(', ')}`, undefined);
  }
  return sequences.map(({ tracks }) => ({
    track: tracks.map(({ audio, clips }) => ({
      audio,
      segment: clips.map(({ asset, ...times }) => ({ item: matches.get(asset)!.item, ...times })),
    })),
  }));
}

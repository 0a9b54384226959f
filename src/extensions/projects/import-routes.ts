import { mustHave } from '../../assets/access/public-reading.ts';
import { askerOf } from '../../assets/definitions/public-reading.ts';
import { collectionName, collectionNamed } from '../../assets/items/contract/entities.ts';
import { creatorOf, prepareItem, type Sequence } from '../../assets/items/public.ts';
import { keepAttachment as keep } from '../../assets/metadata/public.ts';
import { DocumentError } from '../../core/documents/index.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { together } from '../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import { uris } from '../../http/answers.ts';
import type { Call } from '../../http/call.ts';
import { badParameter, choice, flag, type QueryOf, text } from '../../http/parameters/index.ts';
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
import {
  keptJson,
  mediaTimesOf,
  offsetOf,
  otioType,
  ownFormat,
  sequenceDocument,
  sequenceKind,
} from '../sequences/public.ts';
import { definitionKind, essenceMappingsDocument, projectFileDocument } from './documents.ts';
import type { Cut, ImportedProject, Time } from './imported-project.ts';
import { type Matches, matchAssets } from './match-items.ts';
import { readOtio } from './otio.ts';
import { newVersion } from './versions.ts';
import { readXmeml } from './xmeml.ts';

/** Formats by the words of the parameter, as in exports of sequences. */
const formats = {
  fcp: { read: readXmeml, type: 'application/xml' },
  otio: { read: readOtio, type: otioType },
} as const;
type FormatName = keyof typeof formats;

interface ProjectAt {
  readonly name: string;
  readonly text: string;
  readonly project: ImportedProject;
  readonly format: FormatName;
}

/** Reads the file of an editing program at an address. What is wrong with it is told like a mistake in the request. */
async function readProject(parts: IngestParts, mayHave: MayHave, { uri, type }: Where): Promise<ProjectAt> {
  try {
    const source = await openImportSource(parts, mayHave, uri);
    const text = await sourceText(source, 'project', parts.settings.maxBodyBytes);
    const format = type ?? (/\.otio$/i.test(source.name) ? 'otio' : 'fcp');
    return { name: source.name, text, format, project: await formats[format].read(text, parts.limits) };
  } catch (error) {
    if (error instanceof JobFails || error instanceof DocumentError)
      throw badParameter('uri', error.message, undefined);
    if (error instanceof ServiceError) throw error;
    throw storageRefusal(error, { storage: (await storedAt(parts.store, plainAddress(uri)))?.storageId ?? '' });
  }
}

const where = {
  uri: text('The address of the project', { required: true }),
  type: choice(
    'Format of the project: the XML of Final Cut Pro 7, or OpenTimelineIO. Default: by the ending .otio',
    Object.keys(formats) as FormatName[],
  ),
  reelField: text('Metadata field with the reels of items, by which clips are found'),
};
type Where = QueryOf<typeof where>;
const assignId = flag('Gives each new item the id of its sequence as an external id', false);
const reads = optional(essenceMappingsDocument);

/** Projects of editing programs, which other systems have written. */
export function projectImportRoutes(parts: IngestParts): readonly Route[] {
  const { store, limits, clock } = parts;
  const importing = { method: 'POST', access: role('_import'), acting: 'allowed', reads } as const;

  async function read(
    call: Call<Where, BodyOf<typeof reads>>,
  ): Promise<ProjectAt & Pick<Matches, 'several'> & { readonly matches: Matches['items'] }> {
    const source = await readProject(parts, callerMayHave(parts, call), call.query);
    const assets = [...source.project.assets.values()];
    const { items, several } = await matchAssets(parts, call, assets, call.body ?? {}, call.query.reelField);
    return { ...source, matches: items, several };
  }

  /** Sequences in items, in the times of these. A sequence with a hole in it would be another one. */
  async function sequencesIn(
    call: Call,
    { sequences, assets }: ImportedProject,
    matches: Matches['items'],
  ): Promise<readonly Sequence[]> {
    const used = new Set(
      sequences.flatMap(({ tracks }) => tracks.flatMap(({ clips }) => clips.map((clip) => clip.asset))),
    );
    const gone = [...used].filter((id) => !matches.has(id));
    if (gone.length > 0) {
      const names = gone.slice(0, 20).map((id) => `${id.slice(0, 200)} (${assets.get(id)!.name.slice(0, 80)})`);
      throw badParameter('uri', `Expected items for all files: map ${names.join(', ')}`, undefined);
    }
    const coded = [...used].filter((id) => assets.get(id)!.timeCodes);
    const items = [...new Set(coded.map((id) => matches.get(id)!.item))];
    const times = items.length === 0 ? undefined : await mediaTimesOf(store, items, await askerOf(call));
    const offsets = new Map(
      coded.map((id) => [id, offsetOf(assets.get(id)!.timeCodes, times?.get(matches.get(id)!.item))]),
    );
    return sequences.map(({ tracks, start }) => ({
      ...(start && { start }),
      track: tracks.map(({ audio, clips, transitions = [] }) => ({
        audio,
        ...(transitions.length > 0 && { transition: [...transitions] }),
        segment: clips.map(({ asset, in: from, out, sourceTrack, sourceIn, sourceOut, name, markers = [] }) => {
          const seconds = offsets.get(asset) ?? 0;
          return {
            ...{ item: matches.get(asset)!.item, sourceTrack, in: from, out },
            sourceIn: earlier(sourceIn, seconds),
            sourceOut: earlier(sourceOut, seconds),
            ...(name !== undefined && { name }),
            ...(markers.length > 0 && {
              marker: markers.map((each) => ({
                ...each,
                in: earlier(each.in, seconds),
                out: earlier(each.out, seconds),
              })),
            }),
          };
        }),
      })),
    }));
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
        const { project, format, matches, several } = await read(call);
        return {
          location: shownAddress(call.query.uri),
          type: format,
          asset: [...project.assets.values()].map(({ id, name, type: kind, path }) => {
            const match = matches.get(id);
            const fitting = match ? [match] : (several.get(id) ?? []);
            return {
              ...{ id, name, type: kind, status: match ? 'FOUND' : fitting.length > 0 ? 'AMBIGUOUS' : 'MISSING' },
              item: fitting.map(({ item, shape, by }) => ({ id: item, shape, match: by })),
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
        const { project, name, format, text: source, matches } = await read(call);
        const sequence = await sequencesIn(call, project, matches);
        const item = [...new Set([...matches.values()].map((match) => match.item))].map((id) => ({ id }));
        const sourceFile = { mediaType: formats[format].type, content: bytesOf(source) };
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
        const sequences = await sequencesIn(call, project, matches);
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

/** A time of media that begin at some second. */
function earlier({ samples, timeBase }: Time, seconds: number): Time {
  return { samples: samples - Math.round((seconds * timeBase.denominator) / timeBase.numerator), timeBase };
}

import { libraryAt, pathStarts, pathsFrom } from '../../../assets/items/public.ts';
import { projections, stylesheetText } from '../../../assets/metadata/public.ts';
import { badValue } from '../../../core/documents/error.ts';
import { sentBytes } from '../../../http/body.ts';
import type { Call } from '../../../http/call.ts';
import { raw } from '../../../http/forms.ts';
import { badParameter, choice, list, type QueryOf, text } from '../../../http/parameters/index.ts';
import { type Route, role, roleMissing, route } from '../../../http/route.ts';
import { startJob } from '../../../room/jobs/contract.ts';
import { type Job, jobDocument } from '../../../room/jobs/documents.ts';
import { jobParameters } from '../../../room/jobs/parameters.ts';
import { subjectOf } from '../../../security/caller.ts';
import { administrator } from '../../../security/subject.ts';
import { exportUri } from '../destination-uri.ts';
import type { ExportParts } from '../parts.ts';
import { viewersOf } from './items.ts';
import { formats, type ListMemo, listJob } from './list-job.ts';

const libraryList = {
  destinationUri: text('Destination of the list. A slash at its end makes it a folder', { required: true }),
  outputFormat: choice('A line for each item, or an ItemListDocument', formats, { defaultValue: 'csv' }),
  field: list(
    text(
      'Fields of each item: "a,b:alias". In CSV also fields of groups, "group/a", and "start,end" for a row for each timespan. Default: title in CSV, all in documents',
    ),
  ),
  data: list(text('Documents: "type" adds the definition of each field. Other words add its data')),
  p: text('Documents: only these parts of each item, as content paths. They replace field and data'),
  ...jobParameters,
};
const itemList = {
  ...libraryList,
  username: text('Only items that this user may read. Administrators name others than themselves'),
  groupname: text('Only items that this group may read. Administrators name groups'),
};

type Query = QueryOf<typeof libraryList>;
type Selection = Pick<ListMemo, 'libraryId' | 'user' | 'group'>;

/** Limit for a stylesheet, since the job keeps it. */
const maxStylesheetLength = 256 * 1024;

/** Without pictures: their addresses can only be made during a request. */
const withoutPictures = new Map([...pathStarts].filter(([name]) => name !== 'thumbnails' && name !== 'posters'));

/** Routes for lists of items as files, made by jobs. */
export function listRoutes(parts: ExportParts): readonly Route[] {
  const { store, limits, hooks } = parts;

  async function start(call: Call<Query>, selection: Selection): Promise<Job> {
    const stylesheet = await stylesheetIn(call);
    const memo = { ...selection, ...wantedOf(call.query, stylesheet !== undefined), stylesheet };
    const job = { job: listJob, memo, data: { outputFormat: memo.format.toUpperCase() } };
    return startJob(parts, call, job);
  }

  /** The stylesheet of the body, which the job keeps. Undefined: there is none. */
  async function stylesheetIn(call: Call): Promise<string | undefined> {
    const bytes = await sentBytes(call.request, limits.bytes);
    if (bytes.byteLength === 0) return undefined;
    if (bytes.byteLength > maxStylesheetLength) {
      throw badValue('body', `a stylesheet of at most ${maxStylesheetLength} bytes`, String(bytes.byteLength));
    }
    const stylesheet = stylesheetText(bytes);
    await hooks.need(projections).check(call, 'list', stylesheet);
    return stylesheet;
  }

  /** User, group or library that a list is made for. Only administrators may choose other users. */
  async function othersIn(call: Call, { username, groupname }: QueryOf<typeof itemList>): Promise<Selection> {
    const subject = subjectOf(call);
    const isOther = groupname !== undefined || (username !== undefined && username !== subject.name);
    if (isOther && !(await subject.has(administrator))) throw roleMissing(administrator);
    await viewersOf(store, { user: username, group: groupname });
    return { libraryId: undefined, user: username, group: groupname };
  }

  const starting = {
    method: 'POST',
    reads: raw(['nothing', 'bytes']),
    answers: jobDocument,
    access: role('_export'),
    acting: 'allowed',
  } as const;

  return [
    route({
      ...starting,
      path: '/item/list',
      says: 'Writes a list of all items that the caller may read to a folder, a storage, a bucket or a web server, as a job.',
      query: itemList,
      handle: async (call) => start(call, await othersIn(call, call.query)),
    }),
    route({
      ...starting,
      path: '/library/:library/list',
      says: 'Writes a list of the items of a library, as a job.',
      entities: { library: libraryAt(store)('READ') },
      query: libraryList,
      handle: (call, { library: { id } }) => start(call, { libraryId: id, user: undefined, group: undefined }),
    }),
  ];
}

/** A stylesheet is given a document, whatever the format of the file is called. */
function wantedOf({ destinationUri, outputFormat: format, field: fields, data, p }: Query, isStyled: boolean) {
  if (format === 'csv' && !isStyled) {
    if (p !== undefined) throw badParameter('p', 'Expected none: lines of CSV have fields', p);
    if (data !== undefined) throw badParameter('data', 'Expected none: lines of CSV have values alone', data[0]);
    const except = fields?.find((each) => each.startsWith('-'));
    if (except !== undefined) throw badParameter('field', 'Expected the fields of a line, and none left out', except);
  }
  if (p !== undefined) pathsFrom(p, withoutPictures);
  return { destinationUri: exportUri(destinationUri, 'destinationUri'), format, fields, data, p };
}

import { mustHave } from '../../assets/access/public-reading.ts';
import { itemName, itemNamed } from '../../assets/items/contract/entities.ts';
import { projections } from '../../assets/metadata/public.ts';
import { readJson, readXml } from '../../core/documents/index.ts';
import { existing } from '../../core/lib/checks.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { ScriptFails } from '../../core/scripts/run-script.ts';
import { uris } from '../../http/answers.ts';
import { raw } from '../../http/forms.ts';
import { page, pageOf, text } from '../../http/parameters/index.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import { type BodyOf, kept } from '../../http/reads.ts';
import { typed } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { type ExportParts, filesToExport } from '../../production/exporting/public.ts';
import { between, type Graph, type GraphEdge, type GraphNode, graphRoutesHook } from '../../room/graphs.ts';
import { JobFails } from '../../room/jobs/job-type.ts';
import { accountOf, type Caller } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import { checkScripts } from './carry-out.ts';
import { exportTemplateDocument } from './documents.ts';
import { ableOutline, filesOfTemplate } from './files.ts';
import { type Outline, type Outlined, type Parts, templateFrom } from './outline.ts';
import {
  checkedOutline,
  deleteTemplate,
  expectName,
  noSuchTemplate,
  setTemplate,
  tested,
  unreadableScript,
} from './rules.ts';
import { findTemplate, type TemplateRow, templateMustExist, templateNames } from './store.ts';

/** The elements of a template, each below the one that it is in, and what they wait for. */
function templateGraph(name: string, { root }: Outline): Graph {
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  const byTag = new Map<string, string>();
  const waits: [string, string][] = [];

  function add(node: Outlined, id: string): void {
    const label = node.kind === 'root' ? `template ${name}` : [node.kind, ...detailsOf(node)].join(between);
    nodes.push({ id, label });
    for (const tag of node.tags) byTag.set(written(tag), id);
    for (const need of node.needs) waits.push([id, written(need)]);
    for (const [at, inner] of node.inner.entries()) {
      edges.push({ from: id, to: `${id}.${at + 1}` });
      add(inner, `${id}.${at + 1}`);
    }
  }

  add(root, '1');
  for (const [from, tag] of waits) {
    const to = byTag.get(tag);
    if (to !== undefined) edges.push({ from, to, label: tag, dashed: true });
  }
  return { name: `template ${name}`, nodes, edges };
}

const detailsOf = ({ path, shapeTag }: Outlined): readonly string[] =>
  [path, shapeTag].flatMap((parts) => (parts ? [written(parts).slice(0, 80)] : []));

const written = (parts: Parts): string =>
  parts.map((part) => (typeof part === 'string' ? part : `{{${part[0]}}}`)).join('');

/** Job that stylesheets of a tested template see: there is none yet. */
const jobOfTest = (caller: Caller) => ({
  ...{ jobId: tested, type: 'EXPORT', status: 'READY', priority: 'MEDIUM', data: [] },
  user: accountOf(caller),
});

/** Paths of the files that an export of the item by this template makes. Throws the refusal of what fails the job. */
async function pathsOf(parts: ExportParts, caller: Caller, outline: Outline, item: string): Promise<readonly string[]> {
  const order = { target: 'item', id: item, tags: undefined, version: 'latest', track: '*', template: tested } as const;
  try {
    const template = { name: tested, outline: ableOutline(outline), lenient: false, data: [] };
    const run = { ...template, job: async () => jobOfTest(caller) };
    const { ofItem, around } = filesOfTemplate(parts, caller, run);
    const { files } = await ofItem(item, (await filesToExport(parts, caller, order, [item])).files);
    return [...files, ...(await around())].map(([, , , path, , pack]) =>
      pack?.startsWith('in:') ? `${pack.slice(pack.indexOf(' ') + 1)}/${path}` : path,
    );
  } catch (error) {
    if (!(error instanceof JobFails)) throw error;
    throw new ServiceError('bad-value', { context: '/ExportTemplateDocument', explanation: error.message });
  }
}

const sent = kept(exportTemplateDocument);

/** Trees that say what files an export makes. */
export function templateRoutes(parts: ExportParts): readonly Route[] {
  const { store, limits, settings, hooks } = parts;
  const path = '/export-template/:template';
  const read = role('_export');
  const template: PathEntity<TemplateRow> = {
    kind: 'export-template',
    async find(name) {
      return existing(await findTemplate(store, { name }), noSuchTemplate, name);
    },
    stays: ({ name }) => templateMustExist(name, noSuchTemplate(name)),
  };

  /** Throws the refusal of a template whose scripts or stylesheets cannot be read. */
  async function check(caller: Caller, name: string, { value }: BodyOf<typeof sent>): Promise<void> {
    const outline = checkedOutline(value);
    await checkScripts(outline).catch((error: unknown) => {
      throw error instanceof ScriptFails ? unreadableScript(error.message) : error;
    });
    for (const stylesheet of outline.stylesheets) await hooks.need(projections).check(caller, name, stylesheet);
  }

  const test = {
    path: `/export-template/${tested}`,
    says: 'Checks the export template of the body without storing it, and answers the paths of the files that it makes of an item.',
    query: { item: text('The item. Without it the answer is empty') },
    reads: sent,
    answers: uris,
    access: role(administrator),
    acting: 'allowed',
  } as const;

  async function testedPaths(
    caller: Caller,
    body: BodyOf<typeof sent>,
    item: string | undefined,
  ): Promise<readonly string[]> {
    await check(caller, tested, body);
    if (item === undefined) return [];
    const row = await itemNamed(store, item);
    await mustHave(store, caller, itemName, row, 'READ', undefined, item);
    return pathsOf(parts, caller, templateFrom({ form: body.form, document: body.text }, limits), row.id);
  }

  return [
    route({ ...test, method: 'POST', handle: (call) => testedPaths(call, call.body, call.query.item) }),
    route({ ...test, method: 'PUT', handle: (call) => testedPaths(call, call.body, call.query.item) }),
    route({
      method: 'GET',
      path: '/export-template',
      says: 'The names of the export templates.',
      query: page(settings.maxPage, settings.maxPage),
      answers: uris,
      access: read,
      async handle(call) {
        const rows = await templateNames(call.reader, { ...pageOf(call.query) });
        return rows.map(({ name }) => name);
      },
    }),
    route({
      method: 'GET',
      path,
      says: 'An export template. In the format that was sent, it has the same bytes.',
      entities: { template },
      answers: raw(exportTemplateDocument),
      access: read,
      handle({ type, render }, { template: { form, document } }) {
        if (type === `application/${form}`) return typed(type, document);
        const from = form === 'json' ? readJson : readXml;
        return render(type, exportTemplateDocument, from(exportTemplateDocument, document, limits));
      },
    }),
    route({
      method: 'PUT',
      path,
      says: 'Creates or replaces an export template. Unknown elements are stored.',
      reads: sent,
      access: role(administrator),
      acting: 'refused',
      async handle(call, { template: name }) {
        expectName(name);
        const { form, text } = call.body;
        await check(call, name, call.body);
        await call.commit(setTemplate({ name, form, document: text }));
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Deletes an export template. Exports that have prepared their files continue.',
      entities: { template },
      access: role(administrator),
      acting: 'refused',
      handle: (call, { template: { name } }) => call.commit(deleteTemplate(name)),
    }),
    ...(hooks.find(graphRoutesHook)?.({
      path: `${path}/graph`,
      says: 'A graph of the elements of an export template,',
      entities: { template },
      access: read,
      graph: (_call, { template }) => templateGraph(template.name, templateFrom(template, limits)),
    }) ?? []),
  ];
}

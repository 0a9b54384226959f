import { mustHave } from '../../access/public-reading.ts';
import { readJson, readXml, uriListDocument } from '../../documents/index.ts';
import type { ExportParts } from '../../exporting/public.ts';
import { type Call, keptDocument } from '../../http/call.ts';
import { documentOrText, documentTypes, type MediaType } from '../../http/negotiation.ts';
import { page, pageOf, text } from '../../http/parameters/index.ts';
import { done, lines, type Reply, typed } from '../../http/reply.ts';
import { type Route, role, route, segment } from '../../http/route.ts';
import { itemName, itemNamed } from '../../items/contract/item/kind.ts';
import { projections } from '../../metadata/public.ts';
import { graphRoutesHook } from '../../room/graphs.ts';
import { ScriptFails } from '../../scripts/run-script.ts';
import { accountOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import { checkScripts } from './carry-out.ts';
import { exportTemplateDocument } from './documents.ts';
import { templateGraph } from './graph.ts';
import { templateFrom } from './outline.ts';
import {
  checkedOutline,
  deleteTemplate,
  expectName,
  noSuchTemplate,
  setTemplate,
  tested,
  unreadableScript,
} from './rules.ts';
import { findTemplate, type TemplateRow, templateNames } from './store.ts';
import { pathsOf } from './testing.ts';

/** Trees that say what files an export makes. */
export function templateRoutes(parts: ExportParts): readonly Route[] {
  const { store, render, limits, settings, hooks } = parts;
  const path = '/export-template/:template';
  const read = role('_export');

  async function templateNamed(name: string): Promise<TemplateRow> {
    const row = await findTemplate(store, { name });
    if (row) return row;
    throw noSuchTemplate(name);
  }

  /** Template of the body, once its scripts and stylesheets can be read. Throws a refusal. */
  async function templateSent(
    call: Call,
    name: string,
  ): Promise<Pick<TemplateRow, 'form'> & { readonly text: string }> {
    const { form, text, value } = await keptDocument(call, exportTemplateDocument, limits);
    const outline = checkedOutline(value);
    await checkScripts(outline).catch((error: unknown) => {
      throw error instanceof ScriptFails ? unreadableScript(error.message) : error;
    });
    for (const stylesheet of outline.stylesheets) await hooks.need(projections).check(call, name, stylesheet);
    return { form, text };
  }

  const test = {
    path: `/export-template/${tested}`,
    says: 'Checks the export template of the body without storing it, and answers the paths of the files that it makes of an item.',
    query: { item: text('The item. Without it the answer is empty') },
    reads: exportTemplateDocument,
    answers: [uriListDocument, 'text'],
    access: role(administrator),
    acting: 'allowed',
    produces: documentOrText,
    async handle(call: Call<{ readonly item: string | undefined }>, type: MediaType): Promise<Reply> {
      const { item } = call.query;
      const { form, text: document } = await templateSent(call, tested);
      const row = item === undefined ? undefined : await itemNamed(store, item);
      if (row) await mustHave(store, call, itemName, row, 'READ');
      const uri = row ? await pathsOf(parts, call, templateFrom({ form, document }, limits), row.id) : [];
      return type === 'text/plain' ? lines(uri.map((each) => [each])) : render(type, uriListDocument, { uri });
    },
  } as const;

  return [
    route({ ...test, method: 'POST' }),
    route({ ...test, method: 'PUT' }),
    route({
      method: 'GET',
      path: '/export-template',
      says: 'The names of the export templates.',
      query: page(settings.maxPage, settings.maxPage),
      answers: [uriListDocument, 'text'],
      access: read,
      produces: documentOrText,
      async handle(call, type) {
        const rows = await templateNames(store.reader(accountOf(call)), { ...pageOf(call.query) });
        const uri = rows.map(({ name }) => name);
        return type === 'text/plain' ? lines(uri.map((each) => [each])) : render(type, uriListDocument, { uri });
      },
    }),
    route({
      method: 'GET',
      path,
      says: 'An export template. In the format that was sent, it has the same bytes.',
      answers: exportTemplateDocument,
      access: read,
      produces: documentTypes,
      async handle(_call, type, params) {
        const { form, document } = await templateNamed(params.template);
        if (type === `application/${form}`) return typed(type, document);
        const from = form === 'json' ? readJson : readXml;
        return render(type, exportTemplateDocument, from(exportTemplateDocument, document, limits));
      },
    }),
    route({
      method: 'PUT',
      path,
      says: 'Creates or replaces an export template. Unknown elements are stored.',
      reads: exportTemplateDocument,
      access: role(administrator),
      acting: 'refused',
      produces: [],
      async handle(call, _type, params) {
        const name = params.template;
        expectName(name);
        const { form, text } = await templateSent(call, name);
        await call.commit(setTemplate({ name, form, document: text }));
        return done;
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Deletes an export template. Exports that have prepared their files continue.',
      access: role(administrator),
      acting: 'refused',
      async handle(call, { template }) {
        await call.commit(deleteTemplate(template));
      },
    }),
    ...(hooks.find(graphRoutesHook)?.({
      path: `${path}/graph`,
      says: 'A graph of the elements of an export template,',
      access: read,
      async graph(_call, params) {
        const name = segment(params, 'template');
        return templateGraph(name, templateFrom(await templateNamed(name), limits));
      },
    }) ?? []),
  ];
}

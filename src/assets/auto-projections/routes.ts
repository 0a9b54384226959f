import { badValue } from '../../documents/bad-value.ts';
import { readJson, uriListDocument, writeJson } from '../../documents/index.ts';
import { requireDocument } from '../../http/call.ts';
import { nameIgnored } from '../../http/ignored.ts';
import { documentOrText, documentTypes } from '../../http/negotiation.ts';
import { done, lines } from '../../http/reply.ts';
import { type Route, role } from '../../http/route.ts';
import { changing } from '../../store/work.ts';
import { type Kind, keep, missing, remove } from '../attachments/rules.ts';
import { attachmentThere, findAttachment, namesOf, removeAttachment, writeAttachment } from '../attachments/store.ts';
import type { AssetParts } from '../parts.ts';
import { autoProjectionRuleDocument } from './documents.ts';

const nobody = { type: 'projection', id: '' };
const noun = 'AutoProjectionRule';
/** A rule lies in one of two kinds, so that each list is one read. */
const [on, off] = ['auto-projection', 'auto-projection-off'];
const kindOf = (kind: string): Kind => ({ kind, noun, most: 1000 });
const switches = [
  ['enable', on, off, 'on'],
  ['disable', off, on, 'off'],
] as const;

/** Rules of clients about changes of metadata. Their steps are kept: nothing here says what they would read. */
export function autoProjectionRoutes({ store, limits, clock, render, commit }: AssetParts): readonly Route[] {
  const path = '/auto-projection';
  const one = `${path}/:rule`;
  const read = role('_auto_projection_read');
  const write = role('_auto_projection_write');

  const rowIn = (kind: string, name: string) => findAttachment(store, { ...nobody, kind, name });
  async function ruleNamed(name: string) {
    for (const kind of [on, off] as const) {
      const row = await rowIn(kind!, name);
      if (row) return { kind: kind!, row };
    }
    throw missing(noun, name);
  }

  const listing = (at: string, says: string, kinds: readonly string[]): Route => ({
    method: 'GET',
    path: at,
    says,
    answers: [uriListDocument, 'text'],
    access: read,
    produces: documentOrText,
    async handle(_call, type) {
      const found = await Promise.all(kinds.map((kind) => namesOf(store, { ...nobody, kind })));
      const uri = found
        .flat()
        .map(({ name }) => name)
        .sort();
      return type === 'text/plain' ? lines(uri.map((name) => [name])) : render(type, uriListDocument, { uri });
    },
  });

  return [
    listing(path, 'The names of the auto-projection rules.', [on!, off!]),
    ...switches.map(([word, kind, , state]) =>
      listing(`${path}/${word}`, `The names of the auto-projection rules that are switched ${state}.`, [kind!]),
    ),
    {
      method: 'GET',
      path: one,
      says: 'An auto-projection rule.',
      answers: autoProjectionRuleDocument,
      access: read,
      produces: documentTypes,
      async handle(_call, type, { rule = '' }) {
        const { content } = (await ruleNamed(rule)).row;
        const value = readJson(autoProjectionRuleDocument, content, limits);
        return render(type, autoProjectionRuleDocument, { ...value, name: rule });
      },
    },
    {
      method: 'PUT',
      path: one,
      says: 'Keeps an auto-projection rule. Nothing carries out its steps: portico-ignored names them.',
      reads: autoProjectionRuleDocument,
      access: write,
      acting: 'refused',
      produces: [],
      async handle(call, _type, { rule = '' }) {
        if (switches.some(([word]) => word === rule))
          throw badValue('path', 'another name than enable or disable', rule);
        const document = await requireDocument(call, autoProjectionRuleDocument, limits);
        for (const { script } of document.step ?? []) nameIgnored(call.trace, script === undefined ? 'xslt' : 'script');
        const kind = (await rowIn(off!, rule)) ? off! : on!;
        const content = new TextEncoder().encode(writeJson(autoProjectionRuleDocument, document));
        const kept = { mediaType: 'application/json', content };
        await commit(keep(nobody, kindOf(kind), rule, kept, clock.now(), []), call);
        return done;
      },
    },
    {
      method: 'DELETE',
      path: one,
      says: 'Removes an auto-projection rule.',
      access: write,
      acting: 'refused',
      produces: [],
      async handle(call, _type, { rule = '' }) {
        await commit(remove(nobody, kindOf((await ruleNamed(rule)).kind), rule), call);
        return done;
      },
    },
    ...switches.map(
      ([word, to, from, state]): Route => ({
        method: 'PUT',
        path: `${one}/${word}`,
        says: `Switches an auto-projection rule ${state}. The lists tell it; nothing carries out its steps.`,
        access: write,
        acting: 'refused',
        produces: [],
        async handle(call, _type, { rule = '' }) {
          const { kind, row } = await ruleNamed(rule);
          if (kind === to) return done;
          const { mediaType, content } = row;
          const there = { ...nobody, kind: from!, name: rule };
          const moved = writeAttachment({ ...there, kind: to!, mediaType, content, now: clock.now() });
          await commit(changing(attachmentThere(there, missing(noun, rule)), removeAttachment(there), moved), call);
          return done;
        },
      }),
    ),
  ];
}

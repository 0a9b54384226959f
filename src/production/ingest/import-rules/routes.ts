import { profileNamed } from '../../../assets/items/public.ts';
import { existing } from '../../../core/lib/checks.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { onlyActs, outlastsActing } from '../../../http/acting.ts';
import { answer } from '../../../http/answers.ts';
import type { Call } from '../../../http/call.ts';
import { page, pageOf } from '../../../http/parameters/index.ts';
import { type Route, route } from '../../../http/route.ts';
import { noSuchUser } from '../../../identity/public.ts';
import { findUser } from '../../../identity/public-reading.ts';
import { pageWithin } from '../../../room/entities/page-weight.ts';
import { priorityFrom } from '../../../room/jobs/contract.ts';
import { subjectOf } from '../../../security/caller.ts';
import { administrator } from '../../../security/subject.ts';
import {
  findAutoImport,
  listAutoImports,
  readStorages as read,
  removeAutoImport,
  storageAt,
  writeStorages as write,
} from '../../../storage/public.ts';
import type { IngestParts } from '../parts.ts';
import {
  type AutoImportRule,
  autoImportFrom,
  autoImportRuleDocument,
  autoImportRuleListDocument,
  checkRule,
  checkUser,
  enableAutoImport,
  noAutoImport,
  setAutoImport,
} from './rules.ts';

export function autoImportRoutes(parts: IngestParts): readonly Route[] {
  const { store, settings } = parts;
  const path = '/storage/:storage/auto-import';
  const entities = { storage: storageAt(store) };

  /** Validates names and priority of a rule in the request: later only the log would show the failure. */
  async function checkNamed(call: Call, rule: AutoImportRule): Promise<void> {
    await priorityFrom(call, rule.priority);
    if (rule.settingsId) await profileNamed(store, rule.settingsId);
    if (!rule.user) return;
    // Jobs of the rule run in the user's name long after the caller stopped acting.
    if (await onlyActs(call)) throw outlastsActing();
    const subject = subjectOf(call);
    checkUser(rule, subject.name, await subject.has(administrator));
    if (!(await findUser(store, { name: rule.user }))) throw noSuchUser(rule.user);
  }

  const switching = (enabled: boolean): Route =>
    route({
      method: 'PUT',
      path: `${path}/${enabled ? 'enable' : 'disable'}`,
      says: enabled ? 'Enables the auto-import rule of a storage.' : 'Disables the auto-import rule of a storage.',
      entities,
      access: write,
      acting: 'allowed',
      handle: (call, { storage: { id } }) => call.commit(enableAutoImport(id, enabled)),
    });

  return [
    route({
      method: 'GET',
      path: '/storage/auto-import',
      says: 'The auto-import rules of all storages.',
      query: page(settings.maxPage),
      answers: answer(autoImportRuleListDocument, { list: 'rule' }),
      access: read,
      async handle(call) {
        const values = { ...pageOf(call.query) };
        const rows = await pageWithin(listAutoImports, call.reader, values, settings.maxPageValues);
        return { rule: rows.map(autoImportFrom) };
      },
    }),
    route({
      method: 'GET',
      path,
      says: 'The auto-import rule of a storage.',
      entities,
      answers: autoImportRuleDocument,
      access: read,
      async handle(_call, { storage: { id } }) {
        const row = existing(await findAutoImport(store, { storageId: id }), noAutoImport, id);
        return autoImportFrom(row);
      },
    }),
    route({
      method: 'PUT',
      path,
      says: 'Sets the auto-import rule of a storage.',
      entities,
      reads: autoImportRuleDocument,
      access: write,
      acting: 'partly',
      async handle(call, { storage: { id } }) {
        checkRule(call.body);
        await checkNamed(call, call.body);
        await call.commit(setAutoImport(id, call.body, subjectOf(call).user?.id ?? null));
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Removes the auto-import rule of a storage, if it has one.',
      entities,
      access: write,
      acting: 'allowed',
      handle: (call, { storage: { id } }) => call.commit(changing(removeAutoImport({ storageId: id }))),
    }),
    switching(true),
    switching(false),
  ];
}

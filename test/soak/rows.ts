import { rowsOf } from './history.ts';
import { maxAudit } from './house.ts';

const minute = 60_000;

/**
 * Rows that something removes by itself, by what they wait for. The numbers are those beyond what may be: callers make
 * and end such things all the time.
 */
const sweptRows: Readonly<Record<string, (now: number) => string>> = {
  'expired tokens': (now) => `SELECT count(*) FROM token WHERE expires_at < ${now - minute}`,
  'sessions of providers without a token': () =>
    'SELECT count(*) FROM login_session WHERE id NOT IN (SELECT id FROM token)',
  'entries of the audit log beyond its limit': () => `SELECT max(0, count(*) - ${2 * maxAudit}) FROM audit`,
  'reads in the audit log beyond its limit': () => `SELECT max(0, count(*) - ${2 * maxAudit}) FROM audit_read`,
  'uploads without a part for minutes': (now) =>
    `SELECT count(*) FROM transfer WHERE state = 'TRANSFERRING' AND touched_at < ${now - 3 * minute}`,
  'publications whose lease is over': (now) => `SELECT count(*) FROM publication WHERE lease_until < ${now - minute}`,
  'claims of imports that have ended': () =>
    `SELECT count(*) FROM import_claim JOIN job ON job.id = job_id WHERE status IN ('FINISHED', 'FAILED_TOTAL', 'ABORTED')`,
  'keys of uploads that have expired': (now) =>
    `SELECT count(*) FROM import_upload_key WHERE expires < ${now - minute}`,
  'files whose deletion is late': (now) => `SELECT count(*) FROM file WHERE delete_due < ${now - minute}`,
  'files that wait for their import': (now) => `SELECT count(*) FROM auto_import_due WHERE due < ${now - minute}`,
  'rows of search of things that are gone': () =>
    'SELECT count(*) FROM search_entity WHERE entity_id NOT IN (SELECT id FROM item UNION SELECT id FROM collection)',
  'metadata of items that are gone': () =>
    `SELECT count(*) FROM metadata_state WHERE owner_type = 'item' AND owner_id NOT IN (SELECT id FROM item)`,
  'entries of items that are gone': () =>
    `SELECT count(*) FROM access_entry WHERE entity_type = 'item' AND entity_id NOT IN (SELECT id FROM item)`,
  'shapes of items that are gone': () => 'SELECT count(*) FROM shape WHERE item_id NOT IN (SELECT id FROM item)',
  'uses of shares that are gone': () => 'SELECT count(*) FROM share_use WHERE share_id NOT IN (SELECT id FROM share)',
};

export async function countRows(url: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [name, sql] of Object.entries(sweptRows)) {
    counts[name] = Number((await rowsOf(url, sql(Date.now())))[0]![0]);
  }
  return counts;
}

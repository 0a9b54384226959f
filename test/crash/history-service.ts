import type { Service } from '../../src/composition/service.ts';
import type { History, Operation } from '../simulation/history.ts';
import { ask } from './jobs-service.ts';

/** Items that there may be. */
export const limit = 5;

/** Sets the limit, and registers a notification of items, unless they are there. */
export async function prepare(service: Service, address: string): Promise<void> {
  if ((await service.store.read('SELECT 1 FROM quota_rule')).length > 0) return;
  const http = { url: `${address}/items`, contentType: 'application/json', retry: 1_000 };
  await ask(service, 'POST /API/item/notification', {
    action: { http },
    trigger: { item: { create: '', delete: '' } },
  });
  await ask(service, 'POST /API/quota', { enforce: true, resource: [{ name: 'item', limit }] });
}

interface Line {
  readonly number?: string;
  readonly kind?: string;
  readonly key?: string;
  readonly value?: string | undefined;
  readonly id?: string;
  readonly ok?: true;
  readonly refused?: number;
  readonly quota?: number;
}

/** Requests of the clients of all lives, by the lines that they told. `deleted`: items whose deletion was acknowledged. */
export function readLines(
  lines: readonly string[],
): Pick<History, 'operations' | 'quotas'> & { readonly deleted: readonly string[] } {
  const open = new Map<string, Line & { readonly invoked: number }>();
  const operations: Operation[] = [];
  const quotas: History['quotas'][number][] = [];
  const deleted: string[] = [];
  const end = (
    { kind, key = '', value, id, invoked }: Line & { readonly invoked: number },
    answered: number | undefined,
  ) => {
    if (kind === 'delete') {
      if (answered !== undefined) deleted.push(key);
      return;
    }
    if (kind !== 'create') return void operations.push({ kind: kind as 'read', key, value, invoked, answered });
    operations.push({ kind: 'create', key, id: id && `item ${id}`, invoked, answered });
    // A second answer with the same key is about the same write.
    const isFirst = !operations.some((each) => each.kind === 'write' && each.key === id);
    if (id !== undefined && isFirst) operations.push({ kind: 'write', key: id, value, invoked, answered });
  };
  for (const [at, text] of lines.entries()) {
    const line = JSON.parse(text) as Line;
    if (line.quota !== undefined) quotas.push({ limit, used: line.quota });
    else if (line.kind !== undefined) open.set(line.number!, { ...line, invoked: at });
    else {
      const begun = open.get(line.number!)!;
      open.delete(line.number!);
      // Somebody else may have deleted it, or the limit is reached: a refusal changes nothing.
      if (line.ok) end({ ...begun, ...(line.id && { id: line.id }), value: begun.value ?? line.value }, at);
    }
  }
  for (const begun of open.values()) if (begun.kind !== 'read') end(begun, undefined);
  return { operations, quotas, deleted };
}

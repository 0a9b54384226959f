import type { GroupListDocument } from 'portico/types';
import { useState } from 'preact/hooks';
import { get, send } from '../../api/client.ts';
import { store, stored } from '../../browser-storage.ts';
import { Button } from '../../components/button.tsx';
import { useOnce } from '../../components/load.ts';
import { act } from '../../components/refusal.tsx';
import { has } from '../../rights.ts';
import { t } from '../../texts/index.ts';

const roles = ['_share_read', '_share_write'];
const group = 'editor';
const key = 'portico.asked.share';

/** Asks once whether the ready-made group of a database of before may share by links. */
export function MayShare() {
  const [isOver, setOver] = useState(!has('_administrator') || stored(key) === true);
  const parents = useOnce(async (signal) =>
    isOver ? undefined : get<GroupListDocument>(`/group/${group}/parents`, { query: { traverse: true }, signal }),
  );
  const lacks = parents?.group?.every(({ groupName }) => !roles.includes(groupName ?? ''));
  if (isOver || !lacks) return null;
  const end = () => {
    store(key, true);
    setOver(true);
  };
  const add = async () => {
    for (const role of roles) await send('PUT', `/group/${role}/group/${group}`);
  };
  return (
    <div class="note">
      <div class="grow stack">
        <p>{t('people.mayShare', { group })}</p>
        <div class="row wrap">
          <Button
            kind="main"
            onClick={() => void act(add, t('people.sharesNow', { group })).then((isDone) => isDone && end())}
          >
            {t('people.addShare')}
          </Button>
          <Button onClick={end}>{t('people.noShare')}</Button>
        </div>
      </div>
    </div>
  );
}

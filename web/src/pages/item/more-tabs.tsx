import { AccessView } from '../access/view.tsx';
import { reaches, type TabProps } from './item.ts';

export { CollectionsTab } from './tabs/collections.tsx';
export { HistoryTab } from './tabs/history.tsx';
export { JobsTab } from './tabs/jobs.tsx';
export { RawTab } from './tabs/raw.tsx';

export const AccessTab = ({ item, reload }: TabProps) => (
  <AccessView at={`/item/${item.id}`} mayGive={reaches(item, 'ALL')} onDone={reload} />
);

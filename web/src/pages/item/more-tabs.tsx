import { reaches } from '../../rights.ts';
import { AccessView } from '../access/view.tsx';
import type { TabProps } from './item.ts';

/** Tabs and dialogs that few people open at once: in one file they share most of their code. */
export { ClashDialog } from '../../components/clash-dialog.tsx';
export { AccessDialog } from '../access/access-dialog.tsx';
export { EditShare, ShareDialog } from '../shares/dialog.tsx';
export { SelectionForm } from './form/selection-form.tsx';
export { CollectionsTab } from './tabs/collections.tsx';
export { HistoryTab } from './tabs/history.tsx';
export { JobsTab } from './tabs/jobs.tsx';
export { RawTab } from './tabs/raw.tsx';

export const AccessTab = ({ item, reload }: TabProps) => (
  <AccessView at={`/item/${item.id}`} mayGive={reaches(item, 'ALL')} onDone={reload} />
);

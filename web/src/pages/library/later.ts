/** Parts that the library needs once somebody uses it. Loaded after the first pictures. */

export { countWaiting, waiting } from '../../for-me.ts';
export { AskToLeave, KeyList, Renewal, Toasts, UploadTray } from '../../shell/later.tsx';
export { SelectionBar, star, TileMenu } from './chosen.tsx';
export { dialogs } from './dialogs.tsx';
export { FacetsView } from './facets-view.tsx';
export { Panel } from './panel.tsx';
export { countStates, readStates, stateMark } from './review-states.tsx';
export { upload, uploadState } from './upload-state.tsx';

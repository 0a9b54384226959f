import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../texts/index.ts';

/** Forms with something typed that is not saved. */
const forms = new Set<object>();

/** Whether the person lets go what is typed and not saved, or nothing is. */
export const mayLeave = (): boolean => forms.size === 0 || confirm(t('word.leaveUnsaved'));

addEventListener('beforeunload', (event) => {
  if (forms.size > 0) event.preventDefault();
});

/** While something is typed and not saved, the person is asked before the page or the tab of it changes. */
export function useUnsaved(isTyped: boolean): void {
  const form = useRef({});
  // A key may come before the next frame is drawn.
  useLayoutEffect(() => {
    if (isTyped) forms.add(form.current);
    else forms.delete(form.current);
    return () => void forms.delete(form.current);
  }, [isTyped]);
}

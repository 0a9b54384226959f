import { Refusal } from '../api/client.ts';
import { sentenceOf } from './empty.tsx';
import { toast } from './toast.tsx';

/** Does what a button says, and tells how it ended. Gives whether it worked. */
export async function act(what: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await what();
    if (done !== undefined) toast(done);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    toast(sentenceOf(error));
    return false;
  }
}

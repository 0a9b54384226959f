/** Gives the loop back: everything else that is ready runs first. No time is meant to pass, so it is no clock's business. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

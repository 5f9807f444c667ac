// What is chosen and shown, in one flat object. Who listens is told once a frame which of its keys have changed.

/** @param {(run: () => void) => void} schedule calls `run` soon, once */
export function createStore(initial, schedule) {
  const state = { ...initial };
  const listeners = [];
  let changed = new Set();
  let waiting = false;

  function flush() {
    for (let rounds = 0; changed.size > 0 && rounds < 10; ++rounds) {
      const now = changed;
      changed = new Set();
      for (const { keys, call } of listeners) if (keys === null || keys.some((key) => now.has(key))) call(now);
    }
    waiting = false;
  }

  return {
    state,
    flush,
    /** Listeners are called in the order in which they came. `keys` null: at any change. */
    on: (keys, call) => void listeners.push({ keys, call }),
    set(patch) {
      for (const [key, value] of Object.entries(patch)) {
        if (Object.is(state[key], value)) continue;
        state[key] = value;
        changed.add(key);
      }
      if (changed.size === 0 || waiting) return;
      waiting = true;
      schedule(() => flush());
    },
    /** Tells of a change of what a key stands for. */
    touch(key) {
      changed.add(key);
      this.set({});
    },
  };
}

export interface Counter {
  readonly count: number;
}

/** Makes a button count how often it is clicked. */
export function createCounter(button: HTMLButtonElement, start = 0): Counter {
  let count = start;
  const show = () => {
    button.textContent = `Count is ${count}`;
  };
  button.addEventListener("click", () => {
    count++;
    show();
  });
  show();
  return {
    get count() {
      return count;
    },
  };
}

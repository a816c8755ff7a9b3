/** Makes a button count how often it is clicked, from `start` on. */
export function createCounter(button, start = 0) {
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

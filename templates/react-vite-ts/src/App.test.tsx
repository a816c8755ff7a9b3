import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { App } from "./App.tsx";

afterEach(cleanup);

test("the button counts", () => {
  render(<App />);
  fireEvent.click(screen.getByRole("button", { name: "Count is 0" }));
  expect(screen.getByRole("button").textContent).toBe("Count is 1");
});

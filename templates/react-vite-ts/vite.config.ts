import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [react()],
  server: {
    host: true,
    port: 5173,
    strictPort: true,
    // The preview reaches this server under a host name of its own.
    allowedHosts: true,
  },
  test: {
    environment: "jsdom",
  },
});

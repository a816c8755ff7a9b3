import type { NextConfig } from "next";

// The preview reaches this server under a host name of its own.
const previewHost = process.env["CSB_BASE_PREVIEW_HOST"]?.replace(/:\d+$/, "");

const config: NextConfig = {
  allowedDevOrigins: previewHost ? [`*.${previewHost}`] : [],
};

export default config;

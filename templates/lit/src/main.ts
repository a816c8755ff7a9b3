import "./styles.css";
import "./HelloPage.ts";
